// Sides are joined here, line by line, and nowhere else.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "coverage.h"

namespace device_coverage {

/// One source file on all sides; vectors have one element per side, in the sides' order.
struct JoinedFile {
  std::string path;
  std::vector<const FileCoverage*> sides; ///< null: the side has no code in this file
  std::map<uint32_t, std::vector<std::optional<uint64_t>>> lines;
};

/// Files sorted by path. They refer to `sides`, which must outlive them.
std::vector<JoinedFile> joinSides(const std::vector<SideCoverage>& sides);

} // namespace device_coverage
