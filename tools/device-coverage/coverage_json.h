// coverage.json: the report for machines. Its format is documented in docs/coverage-json.md.
#pragma once

#include <filesystem>

#include <nlohmann/json.hpp>

#include "report_result.h"

namespace device_coverage {

inline constexpr const char* kCoverageJsonFormat = "device-coverage-report";
inline constexpr int kCoverageJsonVersion = 1;

/// What the file says but for its files: totals, sides that are missing, remarks and problems.
nlohmann::ordered_json coverageJsonHead(const ReportResult& result);

/// Writes the file piece by piece. Throws Failure when it cannot be written.
void writeCoverageJson(const ReportResult& result, const std::filesystem::path& path);

} // namespace device_coverage
