// What the dispatcher and the device units share.
#pragma once

#include <hip/hip_runtime.h>

namespace collectives {

constexpr unsigned kBlockSize = 64;

enum class Operation { Largest, Reverse };

struct Work {
  Operation operation;
  const int* input;
  int* output;
  unsigned count;
};

// Each in a unit of its own, and called from the dispatcher's. Without -fgpu-rdc the compiler makes
// device functions local to their unit unless they are `used` and `retain`ed. LDS belongs to
// kernels, hence `lds`: kBlockSize values of the dispatcher's.
__attribute__((used, retain)) __device__ void reduceLargest(const Work& work, int* lds);
__attribute__((used, retain)) __device__ void reverse(const Work& work);

} // namespace collectives
