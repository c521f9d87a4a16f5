#include "work.h"

namespace collectives {

static __device__ int larger(int a, int b) {
  if (a > b)
    return a;
  return b;
}

__device__ void reduceLargest(const Work& work, int* lds) {
  int own = work.input[0];
  for (unsigned i = threadIdx.x; i < work.count; i += kBlockSize)
    own = larger(own, work.input[i]);
  lds[threadIdx.x] = own;
  __syncthreads();
  for (unsigned half = kBlockSize / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      lds[threadIdx.x] = larger(lds[threadIdx.x], lds[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    work.output[0] = lds[0];
}

} // namespace collectives
