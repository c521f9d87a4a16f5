// Where sources are on this machine, when they were compiled elsewhere.
#pragma once

#include <string>
#include <vector>

namespace device_coverage {

/// One folder that was moved: `from` when compiled, `to` now.
struct PathMapping {
  std::string from, to;

  /// Reads `FROM=TO`; both must be absolute. Throws Failure (usage).
  static PathMapping parse(const std::string& text);
};

/// The path with the first mapping applied whose `from` holds it; whole folder names are compared.
std::string mapPath(const std::vector<PathMapping>& mappings, const std::string& path);

} // namespace device_coverage
