#include "../kernels/kernels.h"

static __device__ int larger(int a, int b) {
  return a > b ? a : b;
}

__global__ void reduce(int* values, int count) {
  for (int i = 1; i < count; ++i)
    values[0] = larger(values[0], values[i]);
}
