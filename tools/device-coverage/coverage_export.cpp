#include "coverage_export.h"

#include <fstream>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "line_counts.h"
#include "message.h"

namespace device_coverage {
namespace {

using nlohmann::json;

// {"data": [{"files": [{...}], "functions": [{...}]}]}: their objects are the fifth level of
// nesting.
constexpr int kElementDepth = 4;
constexpr int kCodeRegion =
    0; // kinds of regions: others are expansions, gaps, skipped code, branches

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

/// A branch is [line, column, end line, end column, true count, false count, ...], once for each
/// instance of a template; those of one place are one condition.
std::vector<BranchCount> readBranches(const json& branches) {
  std::map<std::pair<uint32_t, uint32_t>, BranchCount> byPlace;
  for (const json& branch : branches) {
    const auto line = branch.at(0).get<uint32_t>();
    const auto column = branch.at(1).get<uint32_t>();
    BranchCount& sum = byPlace[{line, column}];
    sum.line = line;
    sum.column = column;
    sum.whenTrue += branch.at(4).get<uint64_t>();
    sum.whenFalse += branch.at(5).get<uint64_t>();
  }
  std::vector<BranchCount> result;
  for (const auto& [place, branch] : byPlace)
    result.push_back(branch);
  return result;
}

FileCoverage readFile(const json& file) {
  FileCoverage result;
  result.path = file.at("filename").get<std::string>();
  const json& summary = file.at("summary");
  result.metrics = {.lines = readRatio(summary, "lines"),
                    .functions = readRatio(summary, "functions"),
                    .regions = readRatio(summary, "regions"),
                    .branches = readRatio(summary, "branches")};
  for (const json& segment : file.at("segments"))
    result.segments.push_back(readSegment(segment));
  result.lines = lineCounts(result.segments);
  result.branches = readBranches(file.at("branches"));
  return result;
}

/// A region is [line, column, end line, end column, count, file, expanded file, kind].
FunctionCoverage readFunction(const json& function) {
  FunctionCoverage result;
  result.name = function.at("name").get<std::string>();
  result.count = function.at("count").get<uint64_t>();
  const json& regions = function.at("regions");
  if (!regions.empty()) {
    result.firstLine = regions.at(0).at(0).get<uint32_t>();
    result.lastLine = regions.at(0).at(2).get<uint32_t>();
  }
  for (const json& region : regions) {
    if (region.at(7).get<int>() != kCodeRegion)
      continue;
    ++result.regions.count;
    result.regions.covered += region.at(4).get<uint64_t>() != 0 ? 1 : 0;
  }
  return result;
}

/// Hands an element of `files` or `functions` on; false for what is neither.
bool visitElement(const json& value, ExportVisitor& visitor) {
  if (value.contains("filename"))
    visitor.file(readFile(value));
  else if (value.contains("filenames"))
    visitor.function(value.at("filenames").at(0).get<std::string>(), readFunction(value));
  else
    return false;
  return true;
}

} // namespace

void readCoverageExport(const std::filesystem::path& path, ExportVisitor& visitor) {
  const auto refuse = [](const std::string& fact) {
    throw Failure({"llvm-cov", fact, "the side cannot be reported",
                   "use an llvm-cov from LLVM 22 or later, of the compiler's own installation"});
  };
  std::ifstream stream(path);
  try {
    const json rest =
        json::parse(stream, [&](int depth, json::parse_event_t event, const json& value) {
          const bool isElement = event == json::parse_event_t::object_end && depth == kElementDepth;
          return !isElement || !visitElement(value, visitor);
        });
    if (rest.at("type") != "llvm.coverage.json.export")
      refuse("its export has an unknown type");
  } catch (const json::exception& error) {
    refuse(fmt::format("its export cannot be read ({})", error.what()));
  }
}

} // namespace device_coverage
