// From llvm-cov's segments to one count per line.
#pragma once

#include <vector>

#include "coverage.h"

namespace device_coverage {

/// The counts that llvm-cov shows beside the lines: of a line where regions begin, the largest of
/// their counts and of the count that flows in from above; of another line, what flows in.
/// `segments` are in file order.
std::vector<LineCount> lineCounts(const std::vector<Segment>& segments);

} // namespace device_coverage
