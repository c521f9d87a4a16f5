// Memory of the current HIP device, owned by scope.
#pragma once

#include <hip/hip_runtime.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace hipstat {

inline void check(hipError_t status, const char* call) {
  if (status != hipSuccess)
    throw std::runtime_error(std::string(call) + ": " + hipGetErrorString(status));
}

template <typename T>
class DeviceArray {
public:
  explicit DeviceArray(size_t count) : count_(count) {
    check(hipMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)), "hipMalloc");
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    check(hipMemcpy(data_, values.data(), count_ * sizeof(T), hipMemcpyHostToDevice), "hipMemcpy");
  }
  ~DeviceArray() { (void)hipFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  void clear() { check(hipMemset(data_, 0, count_ * sizeof(T)), "hipMemset"); }

  std::vector<T> toHost() const {
    std::vector<T> values(count_);
    check(hipMemcpy(values.data(), data_, count_ * sizeof(T), hipMemcpyDeviceToHost), "hipMemcpy");
    return values;
  }

  T* data() const { return data_; }

private:
  T* data_ = nullptr;
  size_t count_;
};

} // namespace hipstat
