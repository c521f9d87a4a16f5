// Cobertura XML, one file per side: its readers know no sides.
#pragma once

#include <ctime>
#include <filesystem>
#include <string>

#include "coverage.h"

namespace device_coverage {

/// `root` is the folder that file names are relative to; files elsewhere keep their absolute names.
/// `when` is the time of the report.
std::string coberturaText(const SideCoverage& side, const std::filesystem::path& root, time_t when);

} // namespace device_coverage
