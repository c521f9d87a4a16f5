// Messages of the simulator itself: one line on standard error, in one write.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpusim {

/// Writes `amdgpu-simulator: <message>`. Usable at any time, also while the process exits.
void logLine(std::string_view message);

/// `0x...`, for messages.
std::string hex(uint64_t value);

} // namespace gpusim
