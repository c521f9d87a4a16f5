// Checks a HIP call within a test.
#pragma once

#include <gtest/gtest.h>
#include <hip/hip_runtime.h>

#define HIP_OK(call) ASSERT_EQ(hipSuccess, (call)) << hipGetErrorString(hipGetLastError())

/// Local memory of the current device with a value in every element.
template <typename Element>
class DeviceArray {
public:
  explicit DeviceArray(size_t count, int byte = 0) : count_(count) {
    EXPECT_EQ(hipSuccess, hipMalloc(&data_, count * sizeof(Element)));
    EXPECT_EQ(hipSuccess, hipMemset(data_, byte, count * sizeof(Element)));
  }
  ~DeviceArray() { EXPECT_EQ(hipSuccess, hipFree(data_)); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  Element* get() const { return data_; }

  std::vector<Element> toHost() const {
    std::vector<Element> host(count_);
    EXPECT_EQ(hipSuccess,
              hipMemcpy(host.data(), data_, count_ * sizeof(Element), hipMemcpyDeviceToHost));
    return host;
  }

  void fromHost(const std::vector<Element>& host) {
    ASSERT_EQ(count_, host.size());
    HIP_OK(hipMemcpy(data_, host.data(), count_ * sizeof(Element), hipMemcpyHostToDevice));
  }

private:
  size_t count_;
  Element* data_ = nullptr;
};
