#include "hipselect/hipselect.h"
#include "scan.h"

#include <stdexcept>

namespace hipselect {
namespace {

__device__ bool isWithin(int value, Limits limits) {
  if (value < limits.low)
    return false;
  return value <= limits.high;
}

__global__ void flagKernel(const int* values, unsigned count, Limits limits, unsigned* flags) {
  const unsigned index = blockIdx.x * kBlockSize + threadIdx.x;
  if (index < count)
    flags[index] = isWithin(values[index], limits) ? 1 : 0;
}

__global__ void scatterKernel(const int* values, unsigned count, const unsigned* flags,
                              const unsigned* positions, const unsigned* totals, int* selected) {
  const unsigned index = blockIdx.x * kBlockSize + threadIdx.x;
  if (index >= count || flags[index] == 0)
    return;
  unsigned position = positions[index] - 1;
  for (unsigned block = 0; block < blockIdx.x; ++block)
    position += totals[block];
  selected[position] = values[index];
}

void check(hipError_t status) {
  if (status != hipSuccess)
    throw std::runtime_error(hipGetErrorString(status));
}

/// Memory of the current device, owned by scope.
template <typename T>
class DeviceArray {
public:
  explicit DeviceArray(size_t count) { check(hipMalloc(&data_, count * sizeof(T))); }
  ~DeviceArray() { (void)hipFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  T* data() const { return static_cast<T*>(data_); }

private:
  void* data_ = nullptr;
};

} // namespace

std::vector<int> select(const std::vector<int>& values, Limits limits) {
  const unsigned count = static_cast<unsigned>(values.size());
  const unsigned blocks = (count + kBlockSize - 1) / kBlockSize;
  if (blocks > kMostBlocks)
    throw std::length_error("select: too many values");
  if (count == 0)
    return {};
  DeviceArray<int> input(count), output(count);
  DeviceArray<unsigned> flags(count), positions(count), totals(blocks);
  check(hipMemcpy(input.data(), values.data(), count * sizeof(int), hipMemcpyHostToDevice));
  flagKernel<<<blocks, kBlockSize>>>(input.data(), count, ordered(limits), flags.data());
  scanKernel<<<blocks, kBlockSize>>>(flags.data(), count, positions.data(), totals.data());
  scatterKernel<<<blocks, kBlockSize>>>(input.data(), count, flags.data(), positions.data(),
                                        totals.data(), output.data());
  check(hipGetLastError());
  unsigned perBlock[kMostBlocks] = {};
  check(hipMemcpy(perBlock, totals.data(), blocks * sizeof(unsigned), hipMemcpyDeviceToHost));
  unsigned kept = 0;
  for (unsigned block = 0; block < blocks; ++block)
    kept += perBlock[block];
  std::vector<int> selected(kept);
  check(hipMemcpy(selected.data(), output.data(), kept * sizeof(int), hipMemcpyDeviceToHost));
  return selected;
}

} // namespace hipselect
