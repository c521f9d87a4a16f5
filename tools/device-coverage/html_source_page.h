// The page of one source file: its text beside a column of counts for each side.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "line_join.h"

namespace device_coverage {

/// `source` is the text of the file; without it the page has counts only.
std::string htmlSourcePage(const JoinedFile& file, const std::vector<std::string>& sideNames,
                           const std::optional<std::vector<std::string>>& source);

} // namespace device_coverage
