// Names of kernels, for messages and statistics.
#pragma once

#include <cstdint>
#include <string>

#include "interpreter/interpreter.h"

namespace gpusim {

/// The symbol of the kernel descriptor at `kernelObject`, without `.kd`; its address when the
/// code object around it carries no symbol for it. ROCr loads a code object's symbol table with
/// its segments, so the names are found in the GPU's own memory.
std::string kernelName(const GuestMemory& memory, uint64_t kernelObject);

} // namespace gpusim
