// A code object of its own, loaded at run time.
#include <hip/hip_runtime.h>

extern "C" __global__ void moduleBranch(int* values, int count) {
  const int index = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (index < count)
    values[index] = 1;
}
