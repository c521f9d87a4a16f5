#include "coverage_export.h"

#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "line_counts.h"
#include "message.h"

namespace device_coverage {
namespace {

using nlohmann::json;

// {"data": [{"files": [{...}]}]}: a file's object is the fifth level of nesting.
constexpr int kFileDepth = 4;

Ratio readRatio(const json& summary, const char* metric) {
  const json& ratio = summary.at(metric);
  return {ratio.at("covered").get<uint64_t>(), ratio.at("count").get<uint64_t>()};
}

Segment readSegment(const json& segment) {
  return {.line = segment.at(0).get<uint32_t>(),
          .column = segment.at(1).get<uint32_t>(),
          .count = segment.at(2).get<uint64_t>(),
          .hasCount = segment.at(3).get<bool>(),
          .isRegionEntry = segment.at(4).get<bool>(),
          .isGap = segment.at(5).get<bool>()};
}

FileCoverage readFile(const json& file) {
  FileCoverage result;
  result.path = file.at("filename").get<std::string>();
  const json& summary = file.at("summary");
  result.metrics = {.lines = readRatio(summary, "lines"),
                    .functions = readRatio(summary, "functions"),
                    .regions = readRatio(summary, "regions"),
                    .branches = readRatio(summary, "branches")};
  std::vector<Segment> segments;
  for (const json& segment : file.at("segments"))
    segments.push_back(readSegment(segment));
  result.lines = lineCounts(segments);
  return result;
}

} // namespace

void readCoverageExport(const std::filesystem::path& path,
                        const std::function<void(FileCoverage)>& visit) {
  const auto refuse = [](const std::string& fact) {
    throw Failure({"llvm-cov", fact, "the side cannot be reported",
                   "use an llvm-cov from LLVM 22 or later, of the compiler's own installation"});
  };
  std::ifstream stream(path);
  try {
    const json rest = json::parse(stream, [&](int depth, json::parse_event_t event, json& value) {
      const bool isFile = event == json::parse_event_t::object_end && depth == kFileDepth &&
                          value.contains("filename");
      if (isFile)
        visit(readFile(value));
      return !isFile;
    });
    if (rest.at("type") != "llvm.coverage.json.export")
      refuse("its export has an unknown type");
  } catch (const json::exception& error) {
    refuse(fmt::format("its export cannot be read ({})", error.what()));
  }
}

} // namespace device_coverage
