// The functions that code instrumented by LLVM 23 and later calls for each counter, in two uses: the
// device runtime defines them for the link, and HIP code can have this header force-included
// (-include) where the link does not inline them: in ELF form, and in the old offload driver without
// RDC, where an opaque call costs each kernel a stack and a hostcall buffer. Host code sees nothing.
#pragma once

#if defined(__AMDGCN__)

#include <gpuintrin.h>
#include <stdint.h>

#if defined(__cplusplus)
#define DEVICE_COVERAGE_COUNTING                                                                   \
  extern "C" inline __attribute__((device, visibility("hidden"), used, always_inline,              \
                                   no_profile_instrument_function))
#else
#define DEVICE_COVERAGE_COUNTING                                                                   \
  __attribute__((visibility("hidden"), used, retain, always_inline, no_profile_instrument_function))
#endif

// Counts `step` for every active lane, with one atomic for the wave. A uniform counter, if there is
// one, counts the same only when all lanes of the wave are active.
DEVICE_COVERAGE_COUNTING void
__llvm_profile_instrument_gpu(uint64_t* counter, uint64_t* uniformCounter, uint64_t step) {
  typedef __attribute__((address_space(1))) uint64_t DeviceCounter;
  const uint64_t active = __gpu_lane_mask();
  if (!__gpu_is_first_in_lane(active))
    return;
  const uint32_t lanes = (uint32_t)__builtin_popcountll(active);
  __scoped_atomic_fetch_add((DeviceCounter*)counter, step * lanes, __ATOMIC_RELAXED,
                            __MEMORY_SCOPE_DEVICE);
  if (uniformCounter != 0 && lanes == __gpu_num_lanes())
    __scoped_atomic_fetch_add((DeviceCounter*)uniformCounter, step * lanes, __ATOMIC_RELAXED,
                              __MEMORY_SCOPE_DEVICE);
}

// Whether this workgroup is measured. All are: a coverage report must not miss what ran once.
DEVICE_COVERAGE_COUNTING uint32_t __llvm_profile_sampling_gpu(uint32_t sampledBits) {
  (void)sampledBits;
  return 1;
}

#undef DEVICE_COVERAGE_COUNTING

#endif
