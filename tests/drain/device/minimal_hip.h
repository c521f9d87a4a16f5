// As much of HIP as clang needs to compile a kernel, so that the tests of the link need no ROCm.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

typedef decltype(sizeof(0)) size_t;
struct dim3 {
  unsigned x, y, z;
};
extern "C" int hipLaunchKernel(const void*, dim3, dim3, void**, size_t, void*);
extern "C" int __hipPushCallConfiguration(dim3, dim3, size_t, void*);
extern "C" int __hipPopCallConfiguration(dim3*, dim3*, size_t*, void**);
