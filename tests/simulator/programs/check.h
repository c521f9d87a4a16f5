// What the programs share: they are written like samples, and return 1 when a result is wrong.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <hip/hip_runtime.h>

#define HIP_OK(call)                                                                               \
  do {                                                                                             \
    const hipError_t result = (call);                                                              \
    if (result != hipSuccess) {                                                                    \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, hipGetErrorString(result));        \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (false)

/// Ends the program with a message unless `condition` holds.
#define EXPECT(condition, ...)                                                                     \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::printf("%s:%d: %s: ", __FILE__, __LINE__, #condition);                                  \
      std::printf(__VA_ARGS__);                                                                    \
      std::printf("\n");                                                                           \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (false)

/// Device memory for `host.size()` elements, with a copy of them.
template <typename Element>
Element* toDevice(const std::vector<Element>& host) {
  Element* device = nullptr;
  HIP_OK(hipMalloc(&device, host.size() * sizeof(Element)));
  HIP_OK(hipMemcpy(device, host.data(), host.size() * sizeof(Element), hipMemcpyHostToDevice));
  return device;
}

/// Zeroed device memory.
template <typename Element>
Element* deviceZeros(size_t count) {
  return toDevice(std::vector<Element>(count));
}

/// Waits for the device and copies `count` elements from it.
template <typename Element>
std::vector<Element> toHost(const Element* device, size_t count) {
  std::vector<Element> host(count);
  HIP_OK(hipGetLastError());
  HIP_OK(hipDeviceSynchronize());
  HIP_OK(hipMemcpy(host.data(), device, count * sizeof(Element), hipMemcpyDeviceToHost));
  return host;
}

/// The relative error of `value`, absolute where `expected` is small.
inline double errorOf(double value, double expected) {
  return std::abs(value - expected) / std::fmax(1.0, std::abs(expected));
}

/// A repeatable sequence of numbers.
class Numbers {
public:
  unsigned next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<unsigned>(state_ >> 33);
  }
  /// Between 0 and 1.
  float unit() { return static_cast<float>(next()) / 2147483648.0f; }

private:
  unsigned long long state_ = 42;
};
