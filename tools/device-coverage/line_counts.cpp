#include "line_counts.h"

#include <algorithm>
#include <optional>
#include <span>

namespace device_coverage {
namespace {

/// The count of a line, given the segments that begin on it and the last one before it; nothing
/// when the line holds no code.
std::optional<uint64_t> countOfLine(std::span<const Segment> onLine, const Segment* before) {
  const auto entersCode = [](const Segment& s) { return s.isRegionEntry && s.hasCount; };
  const auto decides = [&](const Segment& s) { return entersCode(s) && !s.isGap; };
  const bool anyEntry = std::any_of(onLine.begin(), onLine.end(), entersCode);
  // A region left out by the preprocessor begins here: what flows in ends at the line's first
  // character.
  const bool skipped = !onLine.empty() && onLine.front().isRegionEntry && !onLine.front().hasCount;
  const bool flowsIn = before != nullptr && before->hasCount && !skipped;
  if (!anyEntry && !flowsIn)
    return std::nullopt;
  uint64_t count = before != nullptr ? before->count : 0;
  for (const Segment& segment : onLine)
    if (decides(segment))
      count = std::max(count, segment.count);
  return count;
}

} // namespace

std::vector<LineCount> lineCounts(const std::vector<Segment>& segments) {
  std::vector<LineCount> lines;
  const Segment* before = nullptr;
  for (size_t begin = 0; begin < segments.size();) {
    const uint32_t line = segments[begin].line;
    size_t end = begin + 1;
    while (end < segments.size() && segments[end].line == line)
      ++end;
    const std::span onLine(&segments[begin], end - begin);
    if (const auto count = countOfLine(onLine, before))
      lines.push_back({line, *count});
    before = &onLine.back();
    if (end < segments.size())
      for (uint32_t between = line + 1; between < segments[end].line; ++between)
        if (const auto count = countOfLine({}, before))
          lines.push_back({between, *count});
    begin = end;
  }
  return lines;
}

} // namespace device_coverage
