// Code objects out of the files that hold them.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "target_id.h"

namespace device_coverage {

/// Writes each different code object of `file`, or only those of one target, into `folder` as
/// `<target>-<hash>.hsaco` and returns their paths. Throws Failure, with nothing written, when the
/// file is damaged or holds no such code object.
std::vector<std::filesystem::path> extractCodeObjects(const std::filesystem::path& file,
                                                      const std::optional<TargetId>& target,
                                                      const std::filesystem::path& folder);

} // namespace device_coverage
