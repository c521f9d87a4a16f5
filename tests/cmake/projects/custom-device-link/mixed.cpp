#include "../kernels/kernels.h"

static __device__ int clamped(int value) {
  return value > 7 ? 7 : value;
}

__global__ void mixed(int* values) {
  values[0] = clamped(values[0]);
}
