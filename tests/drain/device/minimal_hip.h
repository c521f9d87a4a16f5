// As much of HIP as clang needs to compile a kernel, so that the tests of the link need no ROCm,
// and code of a compiler that HIP's headers are too old for can run.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

typedef decltype(sizeof(0)) size_t;
struct dim3 {
  unsigned x, y, z;
};
extern "C" int hipLaunchKernel(const void*, dim3, dim3, void**, size_t, void*);
extern "C" int __hipPushCallConfiguration(dim3, dim3, size_t = 0, void* = nullptr);
extern "C" int __hipPopCallConfiguration(dim3*, dim3*, size_t*, void**);

static inline __device__ __attribute__((always_inline, no_profile_instrument_function)) int
globalIndex() {
  return static_cast<int>(__builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() +
                          __builtin_amdgcn_workitem_id_x());
}
