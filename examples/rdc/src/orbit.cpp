#include "device_array.h"
#include "device_functions.h"

namespace orbit {

static __global__ void advanceKernel(Body* bodies, unsigned count, unsigned steps) {
  const unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= count)
    return;
  for (unsigned i = 0; i < steps; ++i)
    step(bodies[index]);
}

void advance(std::vector<Body>& bodies, unsigned steps) {
  const unsigned count = static_cast<unsigned>(bodies.size());
  const DeviceArray<Body> array(bodies);
  advanceKernel<<<(count + 63) / 64, 64>>>(array.data(), count, steps);
  check(hipGetLastError());
  array.copyTo(bodies);
}

} // namespace orbit
