// All that a report says, before it takes a form.
#pragma once

#include <string>
#include <vector>

#include "coverage.h"
#include "message.h"

namespace device_coverage {

struct ReportResult {
  std::string name;        ///< of the report, or empty
  std::string llvmVersion; ///< of the tools that were used
  std::vector<SideCoverage> sides;
  std::vector<MissingSide> missing;
  std::vector<std::string> notes; ///< remarks that do not make the run fail
  std::vector<Message> problems;  ///< each makes the run fail
};

} // namespace device_coverage
