#include "stored_report.h"

#include <charconv>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "coverage_json.h"
#include "message.h"

namespace device_coverage {
namespace {

using Json = nlohmann::ordered_json;

Ratio readRatio(const Json& metrics, const char* name) {
  const Json& ratio = metrics.at(name);
  return {ratio.at("covered").get<uint64_t>(), ratio.at("count").get<uint64_t>()};
}

Metrics readMetrics(const Json& value) {
  return {.lines = readRatio(value, "lines"),
          .functions = readRatio(value, "functions"),
          .regions = readRatio(value, "regions"),
          .branches = readRatio(value, "branches")};
}

StoredFile readFile(const Json& value) {
  StoredFile file;
  file.path = value.at("path").get<std::string>();
  for (const auto& [side, metrics] : value.at("sides").items())
    file.sides[side] = readMetrics(metrics);
  for (const auto& [line, counts] : value.at("lines").items()) {
    uint32_t number = 0;
    std::from_chars(line.data(), line.data() + line.size(), number);
    for (const auto& [side, count] : counts.items())
      file.lines[side].push_back({number, count.get<uint64_t>()});
  }
  return file;
}

StoredReport readReport(const Json& root) {
  if (root.at("format") != kCoverageJsonFormat || root.at("version") != kCoverageJsonVersion)
    throw std::runtime_error(fmt::format("it is {} of version {}, known is {} of version {}",
                                         root.at("format").dump(), root.at("version").dump(),
                                         kCoverageJsonFormat, kCoverageJsonVersion));
  StoredReport report;
  report.name = root.at("report").get<std::string>();
  for (const auto& [side, metrics] : root.at("sides").items())
    report.sides.emplace_back(side, readMetrics(metrics));
  for (const Json& side : root.at("missing_sides"))
    report.missing.push_back(
        {side.at("side").get<std::string>(), side.at("reason").get<std::string>()});
  report.problems = root.at("problems").size();
  for (const Json& file : root.at("files"))
    report.files.push_back(readFile(file));
  return report;
}

} // namespace

StoredReport loadReport(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "coverage.json";
  const auto refuse = [&](const std::string& fact) {
    return Failure({"report", fmt::format("{}: {}", path.string(), fact),
                    "there is no report to go by",
                    "make one with device-coverage report, or name its folder with --report"});
  };
  std::ifstream stream(path);
  if (!stream)
    throw refuse("it cannot be read");
  try {
    return readReport(Json::parse(stream));
  } catch (const std::exception& error) {
    throw refuse(error.what());
  }
}

} // namespace device_coverage
