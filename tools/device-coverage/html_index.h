// The first page of a report: sides, what is missing, and all files by folder.
#pragma once

#include <string>
#include <vector>

#include "line_join.h"
#include "report_result.h"

namespace device_coverage {

/// `pages[i]` is the address of the page of `files[i]`.
std::string htmlIndex(const ReportResult& result, const std::vector<JoinedFile>& files,
                      const std::vector<std::string>& pages);

/// Names of a result's sides, in order.
std::vector<std::string> sideNames(const ReportResult& result);

} // namespace device_coverage
