// The raw-profile writer: one code object and one reading of it in LLVM's .profraw format. Several
// may stand one after another in a file; llvm-profdata reads them all.
#pragma once

#include "reading.h"

namespace device_coverage {

// False when there is no memory; `file` is then as it was.
bool appendRawProfile(const CodeObject& object, const Buffer& reading, Buffer& file);

} // namespace device_coverage
