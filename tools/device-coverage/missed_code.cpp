#include "missed_code.h"

#include <algorithm>
#include <limits>
#include <set>

namespace device_coverage {
namespace {

constexpr uint32_t kLineEnd = std::numeric_limits<uint32_t>::max();

} // namespace

std::map<uint32_t, std::vector<MissedPiece>> missedPieces(const JoinedFile& file) {
  std::map<uint32_t, std::vector<MissedPiece>> result;
  for (size_t side = 0; side < file.sides.size(); ++side) {
    if (file.sides[side] == nullptr)
      continue;
    const auto& segments = file.sides[side]->segments;
    for (size_t i = 0; i + 1 < segments.size(); ++i) {
      const Segment& from = segments[i];
      const Segment& to = segments[i + 1];
      if (!from.hasCount || from.count != 0 || from.isGap)
        continue;
      for (uint32_t line = from.line; line <= to.line; ++line)
        result[line].push_back(
            {line == from.line ? from.column : 1, line == to.line ? to.column : kLineEnd, side});
    }
  }
  return result;
}

std::vector<TextPiece> splitByMissed(size_t length, const std::vector<MissedPiece>& pieces) {
  const auto offset = [&](uint32_t column) { return std::min<size_t>(column - 1, length); };
  std::set<size_t> cuts{0, length};
  for (const MissedPiece& piece : pieces)
    cuts.insert({offset(piece.begin), offset(piece.end)});
  std::vector<TextPiece> result;
  for (auto cut = cuts.begin(); std::next(cut) != cuts.end(); ++cut) {
    TextPiece text{*cut, *std::next(cut), {}};
    for (const MissedPiece& piece : pieces)
      if (offset(piece.begin) <= text.begin && text.end <= offset(piece.end))
        text.sides.push_back(piece.side);
    result.push_back(std::move(text));
  }
  return result;
}

} // namespace device_coverage
