// Source files as lines.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace device_coverage {

/// The lines of a file without their ends; nothing when it cannot be read.
std::optional<std::vector<std::string>> readLines(const std::filesystem::path& path);

/// A linkage name for people: demangled where it is mangled.
std::string readableName(const std::string& linkageName);

} // namespace device_coverage
