// The kernel whose counts are predicted line by line.
//
// A trailing comment `//=` with a sum of tallies says how often its line runs, in threads;
// expected_counts.cpp computes the tallies from the launch sizes and the input alone. Lines without
// one hold no executable code.
#pragma once

#include "input.h"

#include <hip/hip_runtime.h>

/// Called by device code only, although it is compiled for both sides.
__host__ __device__ inline unsigned tripled(unsigned value) { //= odd
  return 3 * value + 1;                                       //= odd
} //= odd

template <unsigned Limit>
__device__ unsigned collatzSteps(unsigned value) { //= inside
  unsigned steps = 0;                              //= inside
  while (value != 1 && steps < Limit) {            //= inside + iterations
    if (value % 2 == 0)                            //= iterations
      value /= 2;                                  //= even
    else                                           //= odd
      value = tripled(value);                      //= odd
    ++steps;                                       //= iterations
  }                                                //= iterations
  if (steps == Limit)                              //= inside
    return Limit;                                  //= limited
  return steps;                                    //= finished
} //= inside

/// `total` gains the number of steps of all threads; `steps` holds each thread's own.
extern "C" __global__ void countedKernel(const unsigned* input, unsigned count, unsigned* steps,
                                         unsigned* total) {      //= threads
  __shared__ unsigned blockTotal;                                //= threads
  if (threadIdx.x == 0)                                          //= threads
    blockTotal = 0;                                              //= blocks
  __syncthreads();                                               //= threads
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;      //= threads
  if (i < count) {                                               //= threads
    steps[i] = collatzSteps<kStepLimit>(input[i]);               //= inside
    for (unsigned step = 0; step < steps[i] && step < 2; ++step) //= inside + double_steps
      atomicAdd(&blockTotal, 1u);                                //= double_steps
  }                                                              //= inside
  __syncthreads();                                               //= threads
  if (threadIdx.x == 0)                                          //= threads
    atomicAdd(total, blockTotal);                                //= blocks
} //= threads
