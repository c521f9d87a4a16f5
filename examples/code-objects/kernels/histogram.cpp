#include "bins.h"

extern "C" __global__ void histogram(const unsigned* values, unsigned* bins, unsigned count) {
  const unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count)
    atomicAdd(&bins[binOf(values[index])], 1u);
}
