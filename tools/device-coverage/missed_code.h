// Which pieces of a file's lines never ran, for marks in its text.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "line_join.h"

namespace device_coverage {

/// A stretch of one line, in columns from 1; `end` is one past the last.
struct MissedPiece {
  uint32_t begin = 0;
  uint32_t end = 0;
  size_t side = 0; ///< index among the file's sides
};

/// Line -> what never ran there. Pieces that go on to the end of a line end at the largest number.
std::map<uint32_t, std::vector<MissedPiece>> missedPieces(const JoinedFile& file);

/// A stretch of a text, in offsets, and the sides on which it never ran.
struct TextPiece {
  size_t begin = 0;
  size_t end = 0;
  std::vector<size_t> sides;
};

/// Cuts a text of `length` characters wherever a piece begins or ends.
std::vector<TextPiece> splitByMissed(size_t length, const std::vector<MissedPiece>& pieces);

} // namespace device_coverage
