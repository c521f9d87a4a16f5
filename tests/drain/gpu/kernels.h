// The kernels whose counts the tests know: how many threads enter, and how many take each branch.
#pragma once

#include <hip/hip_runtime.h>

// Threads; of these with an index below `count`; of these with an odd index.
__global__ void branch(int* values, int count) {
  const int index = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (index < count) {
    if (index & 1)
      values[index] = 1;
    else
      values[index] = 2;
  }
}

// Threads, and rounds of all threads. Long enough to be still running when main returns.
__global__ void work(int* values, int rounds) {
  int sum = 0;
  for (int round = 0; round < rounds; ++round)
    sum += values[(threadIdx.x + static_cast<unsigned>(round)) & 63] | 1;
  values[threadIdx.x & 63] = sum;
}
