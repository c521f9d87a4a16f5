// Reads what `llvm-cov export` writes.
#pragma once

#include <filesystem>
#include <functional>

#include "coverage.h"

namespace device_coverage {

/// Calls `visit` for each file of an export in JSON, one at a time, so that memory does not grow
/// with the number of files. Throws Failure when the file is no such export.
void readCoverageExport(const std::filesystem::path& path,
                        const std::function<void(FileCoverage)>& visit);

} // namespace device_coverage
