// HIP calls that end the test program with a message when they fail.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

inline void check(hipError_t status, const char* what) {
  if (status == hipSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", what, hipGetErrorString(status));
  std::_Exit(90);
}
#define CHECK(call) check(call, #call)

inline int* allocate(int count) {
  int* values = nullptr;
  const std::vector<int> zeros(static_cast<size_t>(count));
  CHECK(hipMalloc(reinterpret_cast<void**>(&values), zeros.size() * sizeof(int)));
  CHECK(hipMemcpy(values, zeros.data(), zeros.size() * sizeof(int), hipMemcpyHostToDevice));
  return values;
}
