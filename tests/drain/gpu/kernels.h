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

// One decision of two conditions, for MC/DC: of 37 threads some find the first condition false, and
// some both true; none has the first true and the second false.
__global__ void decide(int* values, int count) {
  const int index = static_cast<int>(threadIdx.x);
  if (index < count && index < count + 1)
    values[index] = 1;
}

// Threads. Runs until the host sets the flag.
__global__ void waitForHost(const volatile int* flag) {
  while (*flag == 0) {
  }
}

// Threads, and rounds of all threads. Long enough to be still running when main returns.
__global__ void work(int* values, int rounds) {
  int sum = 0;
  for (int round = 0; round < rounds; ++round)
    sum += values[(threadIdx.x + static_cast<unsigned>(round)) & 63] | 1;
  values[threadIdx.x & 63] = sum;
}
