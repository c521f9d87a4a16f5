// A report that was written earlier, read back from its coverage.json.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "coverage.h"

namespace device_coverage {

struct StoredFile {
  std::string path;
  std::map<std::string, Metrics> sides;
  std::map<std::string, std::vector<LineCount>> lines; ///< per side
};

struct StoredReport {
  std::string name;
  std::vector<std::pair<std::string, Metrics>> sides; ///< by name, the host first
  std::vector<MissingSide> missing;
  size_t problems = 0; ///< the report is incomplete when there are any
  std::vector<StoredFile> files;
};

/// Reads `<folder>/coverage.json`. Throws Failure, naming the file, when there is none, when it is
/// of another version or damaged.
StoredReport loadReport(const std::filesystem::path& folder);

} // namespace device_coverage
