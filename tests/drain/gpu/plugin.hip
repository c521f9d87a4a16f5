// A library with a fat binary of its own, opened and closed at run time.
#include "launch.h"

__global__ void pluginKernel(int* values) {
  values[threadIdx.x] = 3;
}

extern "C" void launchPlugin() {
  int* values = allocate(64);
  pluginKernel<<<1, 50>>>(values);
  CHECK(hipDeviceSynchronize());
  CHECK(hipFree(values));
}
