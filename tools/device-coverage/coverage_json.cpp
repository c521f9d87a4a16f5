#include "coverage_json.h"

#include <cerrno>
#include <fstream>

#include "command_result.h"
#include "line_join.h"
#include "output_file.h"
#include "version.h"

namespace device_coverage {
namespace {

Json ratioJson(const Ratio& ratio) {
  return {{"covered", ratio.covered}, {"count", ratio.count}};
}

Json metricsJson(const Metrics& metrics) {
  return {{"lines", ratioJson(metrics.lines)},
          {"functions", ratioJson(metrics.functions)},
          {"regions", ratioJson(metrics.regions)},
          {"branches", ratioJson(metrics.branches)}};
}

/// Functions of all sides by name; a name has the same place on all of them.
Json functionsJson(const JoinedFile& file, const std::vector<SideCoverage>& sides) {
  std::map<std::pair<uint32_t, std::string>, Json> byPlace;
  for (size_t i = 0; i < sides.size(); ++i) {
    if (file.sides[i] == nullptr)
      continue;
    for (const FunctionCoverage& function : file.sides[i]->functions) {
      Json& entry = byPlace[{function.firstLine, function.name}];
      entry["name"] = function.name;
      entry["line"] = function.firstLine;
      entry["sides"][sides[i].side.name()] = {{"count", function.count},
                                              {"regions", ratioJson(function.regions)}};
    }
  }
  Json result = Json::array();
  for (auto& [place, entry] : byPlace)
    result.push_back(std::move(entry));
  return result;
}

Json fileJson(const JoinedFile& file, const std::vector<SideCoverage>& sides) {
  Json result = {{"path", file.path}, {"sides", Json::object()}, {"lines", Json::object()}};
  for (size_t i = 0; i < sides.size(); ++i)
    if (file.sides[i] != nullptr)
      result["sides"][sides[i].side.name()] = metricsJson(file.sides[i]->metrics);
  for (const auto& [line, counts] : file.lines) {
    Json& entry = result["lines"][std::to_string(line)];
    for (size_t i = 0; i < sides.size(); ++i)
      if (counts[i])
        entry[sides[i].side.name()] = *counts[i];
  }
  result["functions"] = functionsJson(file, sides);
  return result;
}

} // namespace

Json coverageJsonHead(const ReportResult& result) {
  Json head = {{"format", kCoverageJsonFormat},
               {"version", kCoverageJsonVersion},
               {"generator", std::string("device-coverage ") + kVersion},
               {"llvm_version", result.llvmVersion},
               {"report", result.name},
               {"sides", Json::object()},
               {"missing_sides", Json::array()},
               {"mismatched_functions", Json::object()},
               {"ambiguous_functions", Json::object()},
               {"remarks", result.notes},
               {"problems", Json::array()}};
  for (const SideCoverage& side : result.sides) {
    Json entry = metricsJson(side.totals);
    entry["profiles"] = side.profiles;
    entry["objects"] = side.objects;
    head["sides"][side.side.name()] = std::move(entry);
    head["mismatched_functions"][side.side.name()] = side.mismatchedFunctions;
    head["ambiguous_functions"][side.side.name()] = side.ambiguousFunctions;
  }
  for (const MissingSide& side : result.missing)
    head["missing_sides"].push_back({{"side", side.name}, {"reason", side.reason}});
  for (const Message& problem : result.problems)
    head["problems"].push_back(messageJson(problem));
  return head;
}

void writeCoverageJson(const ReportResult& result, const std::filesystem::path& path) {
  errno = 0;
  std::ofstream stream(path, std::ios::binary);
  std::string head = coverageJsonHead(result).dump(1, ' ', false, Json::error_handler_t::replace);
  head.resize(head.rfind('\n')); // the closing brace follows after the files
  stream << head << ",\n \"files\": [";
  const char* separator = "\n";
  for (const JoinedFile& file : joinSides(result.sides)) {
    stream << separator
           << fileJson(file, result.sides).dump(-1, ' ', false, Json::error_handler_t::replace);
    separator = ",\n";
  }
  stream << "\n ]\n}\n";
  stream.close();
  if (!stream)
    failToWrite(path, errno);
}

} // namespace device_coverage
