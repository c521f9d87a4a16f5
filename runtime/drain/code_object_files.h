// Code objects stored beside their profiles, for reports: llvm-cov needs the ELF that the counters
// belong to, and code that was compiled at run time (hipRTC) or handed over in memory has no file.
//
// Files are `<folder of the profile>/code-objects/<target>-<ID>.hsaco`, one for each content. ID is
// the hexadecimal binary ID that the profile's records carry: the ELF's build ID, or else the hash
// that stands in for it. That ties a profile to its code on any machine.
//
// DEVICE_COVERAGE_SAVE_CODE_OBJECTS: `1` stores every instrumented code object, `0` none; otherwise
// those that are not in a file already.
#pragma once

#include "code_object.h"

namespace device_coverage {

// Whether the code object whose bytes are here is to be stored.
bool isToBeStored(const void* bytes);

// Whether the memory at `address` is mapped from a file that still has a name.
bool isMappedFromFile(const void* address);

// Stores `elf` beside `profile` unless it is there. False with a reason.
bool storeCodeObject(const CodeObject& object, const Bytes& elf, const Path& profile, Path& stored,
                     Reason& reason);

} // namespace device_coverage
