#include "path_map.h"

#include <fmt/format.h>

#include "message.h"

namespace device_coverage {
namespace {

std::string withoutEndingSlash(std::string path) {
  while (path.size() > 1 && path.ends_with('/'))
    path.pop_back();
  return path;
}

} // namespace

PathMapping PathMapping::parse(const std::string& text) {
  const size_t equals = text.find('=');
  const PathMapping mapping{
      withoutEndingSlash(text.substr(0, equals)),
      equals == std::string::npos ? "" : withoutEndingSlash(text.substr(equals + 1))};
  if (!mapping.from.starts_with('/') || !mapping.to.starts_with('/'))
    throw Failure({"path map", fmt::format("`{}` is not a mapping", text), "no report is made",
                   "write FROM=TO with two absolute folders"},
                  ExitStatus::Usage);
  return mapping;
}

std::string mapPath(const std::vector<PathMapping>& mappings, const std::string& path) {
  for (const PathMapping& mapping : mappings) {
    const bool isBelow =
        path.starts_with(mapping.from) && (path.size() == mapping.from.size() ||
                                           mapping.from == "/" || path[mapping.from.size()] == '/');
    if (isBelow)
      return mapping.to + path.substr(mapping.from.size());
  }
  return path;
}

} // namespace device_coverage
