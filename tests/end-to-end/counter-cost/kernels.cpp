// Kernels of common shapes, whose cost with and without counters is compared. Each takes kThreads
// threads in blocks of kBlock, and whole numbers, so that all variants give the same results.
#include <hip/hip_runtime.h>

#include "shape.h"

static __device__ unsigned indexOfThread() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

// One short branch for each thread.
extern "C" __global__ void scale(unsigned* to, const unsigned* from, unsigned count) {
  const unsigned i = indexOfThread();
  if (i < count)
    to[i] = 3 * from[i] + 1;
}

// A loop whose length differs between the lanes of a wave, with a branch in it.
extern "C" __global__ void collatz(unsigned* to, const unsigned* from, unsigned count) {
  const unsigned i = indexOfThread();
  if (i >= count)
    return;
  unsigned steps = 0;
  for (unsigned value = from[i] + 1; value != 1; ++steps) {
    if (value % 2 == 0)
      value /= 2;
    else
      value = 3 * value + 1;
  }
  to[i] = steps;
}

static __device__ unsigned clampedAt(const unsigned* from, int i, unsigned count) {
  if (i < 0)
    return from[0];
  if (i >= static_cast<int>(count))
    return from[count - 1];
  return from[i];
}

// Inlined functions with borders.
extern "C" __global__ void stencil(unsigned* to, const unsigned* from, unsigned count) {
  const int i = static_cast<int>(indexOfThread());
  if (i >= static_cast<int>(count))
    return;
  unsigned sum = 0;
  for (int offset = -2; offset <= 2; ++offset)
    sum += clampedAt(from, i + offset, count);
  to[i] = sum;
}

// Barriers, and fewer threads in each round.
extern "C" __global__ void blockSum(unsigned* to, const unsigned* from, unsigned count) {
  __shared__ unsigned sums[kBlock];
  const unsigned i = indexOfThread();
  sums[threadIdx.x] = i < count ? from[i] : 0;
  for (unsigned half = kBlock / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    to[blockIdx.x] = sums[0];
}

// Arithmetic with few branches.
extern "C" __global__ void matrixProduct(unsigned* to, const unsigned* from, unsigned count) {
  const unsigned i = indexOfThread();
  if (i >= count)
    return;
  const unsigned row = i / kSide * kSide;
  const unsigned column = i % kSide;
  unsigned sum = 0;
  for (unsigned k = 0; k < kSide; ++k)
    sum += from[row + k] * from[k * kSide + column];
  to[i] = sum;
}
