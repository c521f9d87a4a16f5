// A mixed unit: a fat object with a device link of its own.
#include "collectives/collectives.h"
#include "device_array.h"

namespace collectives {

static __device__ int clamped(int value, int limit) {
  if (value > limit)
    return limit;
  return value;
}

static __global__ void scaleKernel(int* values, unsigned count, int factor, int limit) {
  const unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count)
    values[index] = clamped(values[index] * factor, limit);
}

std::vector<int> scaled(const std::vector<int>& values, int factor, int limit) {
  const DeviceArray array(values);
  scaleKernel<<<(array.count() + 63) / 64, 64>>>(array.data(), array.count(), factor, limit);
  check(hipGetLastError());
  return array.toHost();
}

} // namespace collectives
