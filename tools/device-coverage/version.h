// The version of the project, set by its CMake file.
#pragma once

namespace device_coverage {

inline constexpr const char* kVersion = DEVICE_COVERAGE_VERSION;

} // namespace device_coverage
