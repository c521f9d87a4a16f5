// Writing whole files, or saying why not.
#pragma once

#include <filesystem>
#include <string_view>

#include "bytes.h"

namespace device_coverage {

/// Writes (or overwrites) a file. Throws Failure on any error, a full disk included.
void writeFile(const std::filesystem::path& path, Bytes content);
void writeFile(const std::filesystem::path& path, std::string_view content);

/// The Failure for a path that cannot be written, from an `errno` value.
[[noreturn]] void failToWrite(const std::filesystem::path& path, int error);

} // namespace device_coverage
