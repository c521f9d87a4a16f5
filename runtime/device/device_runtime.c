// The device runtime: what an instrumented AMDGPU image needs besides its own code.
//
// How to build it, always with the clang that compiles the device code, for each form it is linked
// in:
//
//   clang --target=amdgcn-amd-amdhsa -nogpulib -ffreestanding -O2 -mcode-object-version=<N>
//         -DDEVICE_COVERAGE_COUNTER_BYTES=<8|1> -I runtime/include <form> -c device_runtime.c
//
//   <form>                   archived by llvm-ar it serves
//   -emit-llvm               clang's driver (-Xoffload-linker <archive>), all architectures of one
//                            code-object version; plain ld.lld with -plugin-opt=mcpu=<architecture>
//   -mcpu=<architecture>     plain ld.lld; without target-ID features, so that it fits each of them
//
// DEVICE_COVERAGE_COUNTER_BYTES is the width of the counters in the image: 8 for exact counts, 1
// for covered-or-not counters. Two archives of different width must not meet in one image; the
// drain refuses an image with two notes that differ.
//
// All variables are weak, so that an archive named twice on a link line does no harm, and hidden,
// so that no image exports them. `used` and `retain` keep them through the internalising of the old
// offload driver and through section garbage collection. Functions are not weak: they would not be
// inlined.
#include "device_coverage/device_note.h"
#include <stddef.h>
#include <stdint.h>

#include "profile/InstrProfData.inc"

#if INSTR_PROF_RAW_VERSION >= 11
#include "device_coverage/device_counting.h"
#endif

#ifndef DEVICE_COVERAGE_COUNTER_BYTES
#error "DEVICE_COVERAGE_COUNTER_BYTES is not defined; define it as 8 (exact) or 1 (covered-or-not)"
#endif

#if DEVICE_COVERAGE_COUNTER_BYTES == 8
#define RAW_VERSION ((uint64_t)INSTR_PROF_RAW_VERSION)
#elif DEVICE_COVERAGE_COUNTER_BYTES == 1
#define RAW_VERSION ((uint64_t)INSTR_PROF_RAW_VERSION | VARIANT_MASK_BYTE_COVERAGE)
#else
#error "DEVICE_COVERAGE_COUNTER_BYTES must be 8 (exact) or 1 (covered-or-not)"
#endif

#define KEPT __attribute__((weak, visibility("hidden"), used, retain))

#if INSTR_PROF_RAW_VERSION < 11

// Instrumentation refers to this symbol to pull the runtime into the link.
KEPT int __llvm_profile_runtime = 0;

#else

// From LLVM 23 on, instrumentation calls the runtime for each counter, and its table of sections
// holds the address of the version word.
KEPT const uint64_t __llvm_profile_raw_version = RAW_VERSION;

#endif

KEPT __attribute__((section(DEVICE_COVERAGE_NOTE_SECTION), aligned(4)))
const struct DeviceCoverageNote __device_coverage_note = {
    sizeof(DEVICE_COVERAGE_NOTE_NAME),
    sizeof(struct DeviceCoverageNote) - offsetof(struct DeviceCoverageNote, abi),
    DEVICE_COVERAGE_NOTE_TYPE,
    DEVICE_COVERAGE_NOTE_NAME,
    DEVICE_COVERAGE_NOTE_ABI,
    DEVICE_COVERAGE_COUNTER_BYTES,
    (uint32_t)RAW_VERSION,
    (uint32_t)(RAW_VERSION >> 32),
};
