#include "device_array.h"
#include "device_functions.h"

namespace orbit {

static __global__ void energyKernel(const Body* bodies, unsigned count, unsigned long long* sum) {
  const unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count)
    atomicAdd(sum, static_cast<unsigned long long>(squaredVelocity(bodies[index])));
}

long long energy(const std::vector<Body>& bodies) {
  const unsigned count = static_cast<unsigned>(bodies.size());
  const DeviceArray<Body> array(bodies);
  std::vector<unsigned long long> sum = {0};
  const DeviceArray<unsigned long long> deviceSum(sum);
  energyKernel<<<(count + 63) / 64, 64>>>(array.data(), count, deviceSum.data());
  check(hipGetLastError());
  deviceSum.copyTo(sum);
  return static_cast<long long>(sum[0]);
}

} // namespace orbit
