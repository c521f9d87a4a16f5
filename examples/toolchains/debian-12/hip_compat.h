// What HIP 5.2.3's headers and Debian's device libraries lack for a clang that is years younger
// than they are. toolchain.cmake has it included before everything else; a newer HIP needs none of
// it.
#pragma once

// Code of a system header is not instrumented: none of this belongs into a coverage report.
#pragma clang system_header

#if defined(__HIP__)

// The headers read the wavefront size from this macro, which clang no longer defines.
#if !defined(__AMDGCN_WAVEFRONT_SIZE)
#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
#define __AMDGCN_WAVEFRONT_SIZE 32
#else
#define __AMDGCN_WAVEFRONT_SIZE 64
#endif
#endif

// Half-precision reciprocals, which the headers take from names the compiler used to know.
typedef _Float16 hip_compat_half2 __attribute__((ext_vector_type(2)));
__attribute__((device, always_inline)) static inline _Float16 __llvm_amdgcn_rcp_f16(_Float16 x) {
#if defined(__HIP_DEVICE_COMPILE__)
  return __builtin_amdgcn_rcph(x);
#else
  return static_cast<_Float16>(1.0f / static_cast<float>(x));
#endif
}
__attribute__((device, always_inline)) static inline hip_compat_half2
__llvm_amdgcn_rcp_2f16(hip_compat_half2 x) {
  return hip_compat_half2{__llvm_amdgcn_rcp_f16(x.x), __llvm_amdgcn_rcp_f16(x.y)};
}

// The device libraries of this release ask whether denormals are flushed, which newer clangs do not tell
// them any more: they are not.
#if defined(__HIP_DEVICE_COMPILE__)
extern "C" __attribute__((constant, weak, visibility("hidden"))) const unsigned char
    __oclc_daz_opt = 0;
#endif

// __syncthreads() and the __threadfence() family end in this OpenCL builtin, declared by the
// headers and absent from the device libraries. It is defined under its linker name only, because
// its parameter types are enumerations of those headers. `flags` tells LDS from global memory; a
// fence orders both.
#if defined(__HIP_DEVICE_COMPILE__)
extern "C" __attribute__((device, weak, always_inline)) void
hip_compat_fence(unsigned /*flags*/, int order, int scope) __asm__("__atomic_work_item_fence");
extern "C" __attribute__((device, weak, always_inline)) void
hip_compat_fence(unsigned /*flags*/, int /*order*/, int scope) {
  enum { WorkItem = 0, WorkGroup = 1, Device = 2, AllDevices = 3, SubGroup = 4 };
  switch (scope) {
  case WorkItem:
    break;
  case SubGroup:
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "wavefront");
    break;
  case WorkGroup:
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
    break;
  case Device:
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
    break;
  default:
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
  }
}
#endif

#endif // __HIP__
