#include "cov_tool.h"

#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "coverage_export.h"
#include "output_file.h"

namespace device_coverage {
namespace {

namespace fs = std::filesystem;

/// The function of a line `hash-mismatch: No profile record found for '<function>' with hash =
/// ...`.
std::optional<std::string> mismatchedFunction(const std::string& line) {
  if (!line.starts_with("hash-mismatch: "))
    return std::nullopt;
  const size_t begin = line.find('\'');
  const size_t end = line.rfind('\'');
  if (begin == end)
    return std::nullopt;
  return line.substr(begin + 1, end - begin - 1);
}

std::string responseArgument(const fs::path& response) {
  return fmt::format("@{}", response.string());
}

bool tellsMismatch(const std::string& line) {
  return line.find("functions have mismatched data") != std::string::npos;
}

/// Says nothing: the profile was made a moment ago, and the object may have been copied since.
bool isNoise(const std::string& line) {
  return line.find("profile data may be out of date") != std::string::npos;
}

class FilteringVisitor : public ExportVisitor {
public:
  FilteringVisitor(const std::vector<PathMapping>& pathMap, const PathFilter& filter,
                   CovResult& result)
      : pathMap_(pathMap), filter_(filter), result_(result) {}

  void file(FileCoverage file) override {
    file.path = mapPath(pathMap_, file.path);
    if (const auto reason = filter_.reasonToIgnore(file.path)) {
      result_.ignoredFiles.push_back(fmt::format("{} {}", file.path, *reason));
      return;
    }
    indices_[file.path] = result_.coverage.files.size();
    result_.coverage.totals += file.metrics;
    result_.coverage.files.push_back(std::move(file));
  }

  void function(const std::string& path, FunctionCoverage function) override {
    if (const auto found = indices_.find(mapPath(pathMap_, path)); found != indices_.end())
      result_.coverage.files[found->second].functions.push_back(std::move(function));
  }

private:
  const std::vector<PathMapping>& pathMap_;
  const PathFilter& filter_;
  CovResult& result_;
  std::unordered_map<std::string, size_t> indices_;
};

} // namespace

fs::path CovTool::writeResponseFile(const CovInput& input,
                                    const std::vector<std::string>& sources) const {
  // Thousands of objects and sources fit into a response file, not into a command line.
  std::string content = "-instr-profile\n" + responseFileArgument(input.profile.string());
  for (const fs::path& object : input.objects)
    content += "-object\n" + responseFileArgument(object.string());
  for (const PathMapping& mapping : input.pathMap)
    content +=
        responseFileArgument(fmt::format("-path-equivalence={},{}", mapping.from, mapping.to));
  for (const std::string& source : sources)
    content += "-sources\n" + responseFileArgument(source);
  const fs::path path = scratch_ / (input.side.fileName() + ".rsp");
  writeFile(path, content);
  return path;
}

CovResult CovTool::measure(const CovInput& input, const PathFilter& filter) const {
  const fs::path response = writeResponseFile(input, {});
  const fs::path output = scratch_ / (input.side.fileName() + ".json");
  const ChildResult child = tool_.runChecked(
      {"export", "-format=text", "-skip-expansions", responseArgument(response)}, output);
  CovResult result;
  result.coverage.side = input.side;
  result.coverage.objects = input.objects.size();
  for (const std::string& line : splitLines(child.errorOutput)) {
    if (tellsMismatch(line))
      result.coverage.mismatchedFunctions = mismatchedFunctions(response);
    else if (!isNoise(line))
      result.notes.push_back(line);
  }
  FilteringVisitor visitor(input.pathMap, filter, result);
  readCoverageExport(output, visitor);
  fs::remove(output);
  fs::remove(response);
  return result;
}

std::vector<std::string> CovTool::mismatchedFunctions(const fs::path& response) const {
  // llvm-cov names them in its debug output only, which would stand between the lines of an export.
  const ChildResult child =
      tool_.runChecked({"export", "-summary-only", "-dump", responseArgument(response)});
  std::vector<std::string> functions;
  for (const std::string& line : splitLines(child.errorOutput))
    if (auto function = mismatchedFunction(line))
      functions.push_back(std::move(*function));
  return functions;
}

void CovTool::writeHtml(const CovInput& input, const std::vector<std::string>& sources,
                        const fs::path& folder) const {
  const fs::path response = writeResponseFile(input, sources);
  tool_.runChecked({"show", "-format=html", "-show-branches=count", "-show-line-counts-or-regions",
                    "-project-title=" + input.side.name(), "-output-dir=" + folder.string(),
                    responseArgument(response)});
  fs::remove(response);
}

} // namespace device_coverage
