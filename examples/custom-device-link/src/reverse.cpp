#include "work.h"

namespace collectives {

static __device__ unsigned mirrored(unsigned index, unsigned count) {
  return count - 1 - index;
}

__device__ void reverse(const Work& work) {
  for (unsigned i = threadIdx.x; i < work.count; i += kBlockSize)
    work.output[mirrored(i, work.count)] = work.input[i];
}

} // namespace collectives
