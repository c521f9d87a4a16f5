// A code object for hipModuleLoadData; FACTOR tells two of them apart.
#include <hip/hip_runtime.h>

extern "C" __global__ void scale(unsigned* values) {
  values[threadIdx.x] *= FACTOR;
}
