// coverage.json: the report for machines. Its format is documented in docs/coverage-json.md.
#pragma once

#include <filesystem>

#include "report_result.h"

namespace device_coverage {

inline constexpr const char* kCoverageJsonFormat = "device-coverage-report";
inline constexpr int kCoverageJsonVersion = 1;

/// Writes the file piece by piece. Throws Failure when it cannot be written.
void writeCoverageJson(const ReportResult& result, const std::filesystem::path& path);

} // namespace device_coverage
