#include "hipstat/hipstat.h"

#include "device_array.h"

namespace hipstat {
namespace {

constexpr unsigned kMaxBins = 1024;
constexpr unsigned kBlockSize = 128;
constexpr unsigned kDropped = ~0u;

struct Bins {
  float low;
  float high;
  unsigned count;
  OutOfRange policy;
};

/// The bin of `value`, or kDropped.
__device__ unsigned binOf(float value, const Bins& bins) {
  if (value != value)
    return kDropped;
  if (value < bins.low || value >= bins.high) {
    if (bins.policy == OutOfRange::Drop)
      return kDropped;
    return value < bins.low ? 0 : bins.count - 1; // not run on the device: no test clamps
  }
  const float width = (bins.high - bins.low) / static_cast<float>(bins.count);
  const unsigned bin = static_cast<unsigned>((value - bins.low) / width);
  return bin < bins.count ? bin : bins.count - 1;
}

/// A histogram per block in LDS, added to the global one at the end: one global atomic per block
/// and bin that is not empty.
__global__ void histogramKernel(const float* values, unsigned count, Bins bins, unsigned* result) {
  __shared__ unsigned local[kMaxBins];
  for (unsigned bin = threadIdx.x; bin < bins.count; bin += blockDim.x)
    local[bin] = 0;
  __syncthreads();

  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
    const unsigned bin = binOf(values[i], bins);
    if (bin != kDropped)
      atomicAdd(&local[bin], 1u);
  }
  __syncthreads();

  for (unsigned bin = threadIdx.x; bin < bins.count; bin += blockDim.x) {
    if (local[bin] > 0)
      atomicAdd(&result[bin], local[bin]);
  }
}

} // namespace

std::vector<uint32_t> histogram(const std::vector<float>& values, float low, float high,
                                unsigned bins, OutOfRange policy) {
  if (bins == 0 || bins > kMaxBins || !(low < high))
    throw std::invalid_argument("histogram: needs 1 to 1024 bins and low < high");
  DeviceArray<uint32_t> result(bins);
  result.clear();
  if (!values.empty()) {
    const DeviceArray<float> input(values);
    const unsigned count = static_cast<unsigned>(values.size());
    const unsigned blocks = (count + 4 * kBlockSize - 1) / (4 * kBlockSize);
    histogramKernel<<<blocks, kBlockSize>>>(input.data(), count, Bins{low, high, bins, policy},
                                            result.data());
    check(hipGetLastError(), "histogramKernel");
  }
  return result.toHost();
}

} // namespace hipstat
