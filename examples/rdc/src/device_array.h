// Bodies on the device, owned by scope.
#pragma once

#include "orbit/orbit.h"

#include <hip/hip_runtime.h>

#include <stdexcept>

namespace orbit {

inline void check(hipError_t status) {
  if (status != hipSuccess)
    throw std::runtime_error(hipGetErrorString(status));
}

template <typename T>
class DeviceArray {
public:
  explicit DeviceArray(const std::vector<T>& values) : count_(values.size()) {
    check(hipMalloc(reinterpret_cast<void**>(&data_), count_ * sizeof(T)));
    check(hipMemcpy(data_, values.data(), count_ * sizeof(T), hipMemcpyHostToDevice));
  }
  ~DeviceArray() { (void)hipFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() const { return data_; }
  void copyTo(std::vector<T>& values) const {
    check(hipMemcpy(values.data(), data_, count_ * sizeof(T), hipMemcpyDeviceToHost));
  }

private:
  T* data_ = nullptr;
  size_t count_;
};

} // namespace orbit
