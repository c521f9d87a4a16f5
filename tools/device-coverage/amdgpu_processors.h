// Processor numbers in the flags of an AMDGPU ELF header.
#pragma once

#include <cstdint>
#include <string_view>

namespace device_coverage {

/// The name of a processor number (EF_AMDGPU_MACH), or an empty string when it is not known.
std::string_view amdgpuProcessorName(uint32_t number);

} // namespace device_coverage
