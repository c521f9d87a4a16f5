// The report as pages of our own: index, a page per source file, no network, no foreign scripts.
#pragma once

#include <filesystem>

#include "report_result.h"

namespace device_coverage {

/// Writes `index.html`, `files/`, style and script into `folder`, which must exist. Throws Failure
/// when a file cannot be written.
void writeHtmlSite(const ReportResult& result, const std::filesystem::path& folder);

} // namespace device_coverage
