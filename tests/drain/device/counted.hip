// Three functions with branches, and a decision of two conditions for MC/DC.
#include "minimal_hip.h"

__device__ int clampToTen(int value) {
  if (value > 10)
    return 10;
  return value;
}

__device__ __attribute__((noinline)) bool bothPositive(int first, int second) {
  return first > 0 && second > 0;
}

__global__ void fill(int* values, int count) {
  for (int i = 0; i < count; ++i)
    values[i] = bothPositive(values[i], i) ? clampToTen(values[i]) : 0;
}
