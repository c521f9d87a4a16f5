#include "shared.h"

static __device__ int step(int value) {
  return value > 2 ? 3 : 0;
}

__device__ int doubled(int value) {
  return value + value;
}

__global__ void second(int* values) {
  values[0] = doubled(raised<3>(values[0])) + step(values[0]);
}
