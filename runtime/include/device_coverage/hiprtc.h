// For code that hipRTC compiles: what an instrumented image needs beside the code, since nothing
// can be added to hipRTC's link. Give hiprtcCreateProgram this header and device_note.h as texts,
// include this one once in each program, and pass to hiprtcCompileProgram
//
//   -fprofile-instr-generate -fcoverage-mapping -fprofile-update=atomic
//
// It works where the compiler in hipRTC has the raw-profile version of the one that built the
// drain; else the drain refuses the code and says so. 10 is the version of LLVM 19 to 22.
#pragma once

#include "device_coverage/device_note.h"

#ifndef DEVICE_COVERAGE_RAW_VERSION
#define DEVICE_COVERAGE_RAW_VERSION 10
#endif
#if DEVICE_COVERAGE_RAW_VERSION > 10
#error "DeviceCoverage: hiprtc: LLVM 23 and later count by calls, which this header does not define"
#endif

#define DEVICE_COVERAGE_KEPT __attribute__((used, retain, visibility("hidden")))

// Instrumentation refers to it.
extern "C" __attribute__((device)) DEVICE_COVERAGE_KEPT int __llvm_profile_runtime = 0;

extern "C" __attribute__((constant)) DEVICE_COVERAGE_KEPT
    __attribute__((section(DEVICE_COVERAGE_NOTE_SECTION), aligned(4)))
    const struct DeviceCoverageNote __device_coverage_note = {
        sizeof(DEVICE_COVERAGE_NOTE_NAME),
        sizeof(struct DeviceCoverageNote) - __builtin_offsetof(struct DeviceCoverageNote, abi),
        DEVICE_COVERAGE_NOTE_TYPE,
        DEVICE_COVERAGE_NOTE_NAME,
        DEVICE_COVERAGE_NOTE_ABI,
        8,
        DEVICE_COVERAGE_RAW_VERSION,
        0,
};

#undef DEVICE_COVERAGE_KEPT
