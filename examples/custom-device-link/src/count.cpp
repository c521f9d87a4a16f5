// Another mixed unit.
#include "collectives/collectives.h"
#include "device_array.h"

namespace collectives {

static __global__ void countKernel(int* values, unsigned count) {
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
    values[i] = static_cast<int>(i);
}

std::vector<int> counted(unsigned count) {
  const DeviceArray array(std::vector<int>(count, 0));
  countKernel<<<1, 64>>>(array.data(), count);
  check(hipGetLastError());
  return array.toHost();
}

} // namespace collectives
