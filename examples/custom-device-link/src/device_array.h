// Whole numbers on the device, owned by scope.
#pragma once

#include <hip/hip_runtime.h>

#include <stdexcept>
#include <vector>

namespace collectives {

inline void check(hipError_t status) {
  if (status != hipSuccess)
    throw std::runtime_error(hipGetErrorString(status));
}

class DeviceArray {
public:
  explicit DeviceArray(const std::vector<int>& values) : count_(values.size()) {
    check(hipMalloc(reinterpret_cast<void**>(&data_), count_ * sizeof(int)));
    check(hipMemcpy(data_, values.data(), count_ * sizeof(int), hipMemcpyHostToDevice));
  }
  ~DeviceArray() { (void)hipFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  int* data() const { return data_; }
  unsigned count() const { return static_cast<unsigned>(count_); }
  std::vector<int> toHost() const {
    std::vector<int> values(count_);
    check(hipMemcpy(values.data(), data_, count_ * sizeof(int), hipMemcpyDeviceToHost));
    return values;
  }

private:
  int* data_ = nullptr;
  size_t count_;
};

} // namespace collectives
