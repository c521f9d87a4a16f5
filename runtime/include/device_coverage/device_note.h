// The ELF note that the device runtime puts into every instrumented device image, for the drain.
//
// A note is read from the file's bytes: it needs no relocation and no copy from the device, and it
// is found through PT_NOTE even in an image without section headers. All fields are 32 bits wide
// because notes are aligned to four bytes only; integers are little-endian, as AMDGPU ELF is.
// Without any include, for hipRTC, which has no headers.
#pragma once

#define DEVICE_COVERAGE_NOTE_SECTION ".note.device_coverage"
#define DEVICE_COVERAGE_NOTE_NAME "DeviceCoverage" // 15 bytes with its terminator, padded to 16
#define DEVICE_COVERAGE_NOTE_TYPE 1u
#define DEVICE_COVERAGE_NOTE_ABI 1u // grows when a field changes its meaning

struct DeviceCoverageNote {
  unsigned nameSize; // 15
  unsigned descriptorSize;
  unsigned type;
  char name[16];
  // The descriptor:
  unsigned abi;
  unsigned counterBytes;   // 8: exact counters; 1: covered-or-not counters
  unsigned rawVersionLow;  // the raw-profile version word of the device code's compiler,
  unsigned rawVersionHigh; // variant bits included
};
