// What a code object's metadata say about a kernel.
#pragma once

#include <cstdint>
#include <string_view>

#include "interpreter/interpreter.h"

namespace gpusim {

/// Whether the kernel whose descriptor is at `kernelObject` declares an argument of the kind
/// `valueKind`, as the metadata spell it: "hidden_hostcall_buffer". False without metadata.
bool kernelTakesArgument(const GuestMemory& memory, uint64_t kernelObject,
                         std::string_view valueKind);

} // namespace gpusim
