// LCOV tracefiles, one per side: their readers know no sides, and a sum of sides would lie.
#pragma once

#include <string>

#include "coverage.h"

namespace device_coverage {

std::string lcovText(const SideCoverage& side);

} // namespace device_coverage
