#include "scan.h"

namespace hipselect {

__global__ void scanKernel(const unsigned* flags, unsigned count, unsigned* positions,
                           unsigned* totals) {
  __shared__ unsigned sums[kBlockSize];
  const unsigned lane = threadIdx.x;
  const unsigned index = blockIdx.x * kBlockSize + lane;
  sums[lane] = index < count ? flags[index] : 0;
  __syncthreads();
  for (unsigned distance = 1; distance < kBlockSize; distance *= 2) {
    unsigned before = 0;
    if (lane >= distance)
      before = sums[lane - distance];
    __syncthreads();
    sums[lane] += before;
    __syncthreads();
  }
  if (index < count)
    positions[index] = sums[lane];
  if (lane == kBlockSize - 1)
    totals[blockIdx.x] = sums[lane];
}

} // namespace hipselect
