// Walks the chain from compiler to report and finds its first broken link.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "message.h"

namespace device_coverage {

/// One link of the chain. `remedy` is empty when it holds.
struct ChainLink {
  std::string name;
  std::string fact;
  std::string remedy;

  bool holds() const { return remedy.empty(); }
};

/// Examines a build folder or manifest, a folder with a report, or a binary. The last link is the
/// first broken one, if any is. Throws Failure when `path` is none of these.
std::vector<ChainLink> examine(const std::filesystem::path& path, const std::filesystem::path& kfd);

} // namespace device_coverage
