#include "line_join.h"

namespace device_coverage {

std::vector<JoinedFile> joinSides(const std::vector<SideCoverage>& sides) {
  std::map<std::string, JoinedFile> byPath;
  for (size_t i = 0; i < sides.size(); ++i) {
    for (const FileCoverage& file : sides[i].files) {
      JoinedFile& joined = byPath[file.path];
      joined.path = file.path;
      joined.sides.resize(sides.size());
      joined.sides[i] = &file;
      for (const LineCount& line : file.lines) {
        auto& counts = joined.lines[line.line];
        counts.resize(sides.size());
        counts[i] = line.count;
      }
    }
  }
  std::vector<JoinedFile> files;
  files.reserve(byPath.size());
  for (auto& [path, file] : byPath)
    files.push_back(std::move(file));
  return files;
}

} // namespace device_coverage
