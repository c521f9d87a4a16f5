// Makes a report: collect, merge per side, measure per side, join, publish.
#pragma once

#include "manifest.h"
#include "message.h"
#include "path_map.h"
#include "report_result.h"

namespace device_coverage {

struct ReportOptions {
  bool html = true;                       ///< pages
  bool lcov = false;                      ///< LCOV tracefiles
  bool cobertura = false;                 ///< Cobertura XML
  bool omitUnloaded = false;              ///< leave out objects that were never loaded
  std::vector<PathMapping> pathMap;       ///< for sources that were compiled elsewhere
  std::filesystem::path kfd = "/dev/kfd"; ///< whose absence explains the absence of device profiles
};

/// Writes the report that the manifest describes. When at least one side could be measured the
/// report is published, with its problems listed; otherwise Failure is thrown and an earlier report
/// stays.
ReportResult makeReport(const Manifest& manifest, const ReportOptions& options, const Log& log);

} // namespace device_coverage
