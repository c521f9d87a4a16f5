#include "scaled.h"

extern "C" __global__ void saxpy(float factor, const float* x, float* y, unsigned count) {
  const unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count)
    y[index] += scaled(factor, x[index]);
}
