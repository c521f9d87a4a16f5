#include "hipstat/hipstat.h"

#include "device_array.h"

namespace hipstat {
namespace {

constexpr unsigned kMaxRadius = 4;
constexpr unsigned kBlockSize = 64;

/// Runs on both sides; the device tests reach only its second half, the host test only its first.
__host__ __device__ float weightOf(unsigned distance, unsigned radius) {
  if (distance > radius)
    return 0; // not run on the device: smoothKernel never looks that far
  return 1.0f / static_cast<float>(1 + distance);
}

__device__ unsigned clampIndex(int index, unsigned count) {
  if (index < 0)
    return 0;
  if (index >= static_cast<int>(count))
    return count - 1;
  return static_cast<unsigned>(index);
}

template <unsigned Radius>
__global__ void smoothKernel(const float* values, unsigned count, float* result) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float sum = 0;
  float weights = 0;
  for (int offset = -static_cast<int>(Radius); offset <= static_cast<int>(Radius); ++offset) {
    const float weight = weightOf(static_cast<unsigned>(offset < 0 ? -offset : offset), Radius);
    sum += weight * values[clampIndex(static_cast<int>(i) + offset, count)];
    weights += weight;
  }
  result[i] = sum / weights;
}

using Kernel = void (*)(const float*, unsigned, float*);
constexpr Kernel kKernels[kMaxRadius + 1] = {smoothKernel<0>, smoothKernel<1>, smoothKernel<2>,
                                             smoothKernel<3>, smoothKernel<4>};

} // namespace

float smoothingWeight(unsigned distance, unsigned radius) {
  return weightOf(distance, radius);
}

std::vector<float> smooth(const std::vector<float>& values, unsigned radius) {
  if (radius > kMaxRadius)
    throw std::invalid_argument("smooth: radius must be 0 to 4");
  if (values.empty())
    return {};
  const DeviceArray<float> input(values);
  DeviceArray<float> result(values.size());
  const unsigned count = static_cast<unsigned>(values.size());
  const unsigned blocks = (count + kBlockSize - 1) / kBlockSize;
  kKernels[radius]<<<blocks, kBlockSize>>>(input.data(), count, result.data());
  check(hipGetLastError(), "smoothKernel");
  return result.toHost();
}

} // namespace hipstat
