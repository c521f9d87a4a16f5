#include "kernels.h"

static __device__ int larger(int a, int b) {
  return a > b ? a : b;
}

__global__ void runningMaximum(int* values, int count) {
  for (int i = 1; i < count; ++i)
    values[i] = larger(values[i - 1], values[i]);
}

int hostMaximum(int a, int b) {
  return a > b ? a : b;
}
