// Kernels that known releases of HIP cannot launch.
#pragma once

#include <cstdint>
#include <string>

#include "interpreter/interpreter.h"

namespace gpusim {

/// Why HIP crashes once it has submitted the kernel whose descriptor is at `kernelObject`, and what
/// helps; empty when no reason is known or there is no kernel.
std::string causeOfRuntimeCrash(const GuestMemory& memory, uint64_t kernelObject);

} // namespace gpusim
