// An instrumented code object, as its ELF describes it: which device bytes are its counters, and
// what must be known to write a raw profile of them.
#pragma once

#include "elf_image.h"
#include "memory.h"
#include "target_id.h"

namespace device_coverage {

// A profile section in the loaded image.
struct DeviceRange {
  uint64_t offset = 0; // from the loader's segment base
  uint64_t size = 0;   // bytes; 0: the image has no such section
};

// What kernels change, in the order in which a reading holds it.
enum Part : size_t {
  kCountersPart,
  kUniformCountersPart, // from LLVM 23 on: counts of waves with all lanes active
  kBitmapPart,          // of MC/DC
  kRecordsPart,         // from LLVM 23 on, where a record's wave size is stored by its kernel
  kPartCount
};

struct CodeObject {
  TargetId targetId;
  uint64_t rawVersion = 0;             // of the device code's compiler, variant bits included
  uint32_t counterBytes = 0;           // 8 or 1
  uint64_t partDelta[kPartCount] = {}; // address of the part minus address of the records
  uint64_t namesAddress = 0;
  DeviceRange parts[kPartCount];
  Buffer records;  // __llvm_prf_data
  Buffer names;    // __llvm_prf_names
  Buffer binaryId; // the build ID, or a hash of all bytes where the image has none

  const DeviceRange& counters() const { return parts[kCountersPart]; }
  const DeviceRange& bitmap() const { return parts[kBitmapPart]; }
};

// The number of instrumented functions.
size_t functionCount(const CodeObject& object);

enum class Inspection {
  Instrumented,
  NotInstrumented, // nothing to drain, and nothing to say
  Refused, // instrumented, but damaged or of a kind that is not supported; `reason` says why
};

// Reads the ELF in `file`, which stays the caller's. All sizes, offsets and records are checked, so
// that whatever passes can be copied and written without further checks.
Inspection inspectCodeObject(const Bytes& file, CodeObject& object, Reason& reason);

// The same code for the same target: counters of both may be added up. Records and names are
// compared byte by byte, so that no two different code objects are ever taken for one.
bool isSameCode(const CodeObject& one, const CodeObject& other);

} // namespace device_coverage
