// A library with a fat binary of its own. Two of them in one program differ by the names that are
// defined for its kernel and its function.
#include "launch.h"

#ifndef PLUGIN_KERNEL
#define PLUGIN_KERNEL pluginKernel
#define PLUGIN_FUNCTION launchPlugin
#endif

__global__ void PLUGIN_KERNEL(int* values) {
  values[threadIdx.x] = 3;
}

extern "C" void PLUGIN_FUNCTION() {
  int* values = allocate(64);
  PLUGIN_KERNEL<<<1, 50>>>(values);
  CHECK(hipDeviceSynchronize());
  CHECK(hipFree(values));
}
