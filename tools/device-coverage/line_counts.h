// From llvm-cov's segments to one count per line.
#pragma once

#include <vector>

#include "coverage.h"

namespace device_coverage {

/// A place in a file from which on, to the next segment, a count holds.
struct Segment {
  uint32_t line = 0;
  uint32_t column = 0;
  uint64_t count = 0;
  bool hasCount = false;      ///< false: no code from here on
  bool isRegionEntry = false; ///< a region begins here, rather than an outer one goes on
  bool isGap = false;         ///< between two statements; it must not decide a line's count
};

/// The counts that llvm-cov shows beside the lines: of a line where regions begin, the largest of
/// their counts and of the count that flows in from above; of another line, what flows in.
/// `segments` are in file order.
std::vector<LineCount> lineCounts(const std::vector<Segment>& segments);

} // namespace device_coverage
