// The table that a report prints and keeps as summary.txt.
#pragma once

#include <string>

#include "report_result.h"

namespace device_coverage {

/// `66.66% (2/3)`, cut and never rounded up: only full coverage is 100 %. Without anything to
/// cover, `-`.
std::string percentText(const Ratio& ratio);

/// One row per side, then the sides that are missing and why, and remarks. Each percentage is
/// coloured by height if `colour`.
std::string summaryText(const ReportResult& result, bool colour);

/// What went wrong, for a file that outlives the messages on stderr; empty when nothing did.
std::string problemsText(const ReportResult& result);

} // namespace device_coverage
