#include "profdata_tool.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "output_file.h"

namespace device_coverage {
namespace {

namespace fs = std::filesystem;

struct Refusal {
  std::string file;
  std::string reason;
};

/// `warning: <file>: <reason>`, where <file> is one of ours; a path may contain ": " itself.
std::optional<Refusal> refusalIn(const std::string& line,
                                 const std::map<std::string, bool>& files) {
  for (const std::string_view start : {"warning: ", "error: "}) {
    if (!line.starts_with(start))
      continue;
    for (size_t end = line.find(": ", start.size()); end != std::string::npos;
         end = line.find(": ", end + 1)) {
      const std::string file = line.substr(start.size(), end - start.size());
      if (files.contains(file))
        return Refusal{file, line.substr(end + 2)};
    }
  }
  return std::nullopt;
}

/// Counters that reached their limit stay there: worth a remark, no reason to drop a file.
bool isOnlyRemark(const std::string& reason) {
  return reason.find("counter overflow") != std::string::npos;
}

Message refused(const Refusal& refusal) {
  const bool foreign = refusal.reason.find("version mismatch") != std::string::npos ||
                       refusal.reason.find("unsupported") != std::string::npos;
  return {"profiles",
          fmt::format("{} is refused by llvm-profdata ({})", refusal.file, refusal.reason),
          "it is not part of the report",
          foreign ? "use the llvm-profdata and llvm-cov of the compiler that built the tests"
                  : "remove the file and run its test again"};
}

// llvm-profdata lists `  <name>:` and, farther to the right, what it knows of the function.
constexpr size_t kFunctionIndent = 2;

bool isFunctionLine(const std::string& line) {
  return line.size() > kFunctionIndent + 1 && line.find_first_not_of(' ') == kFunctionIndent &&
         line.ends_with(':');
}

/// So many profiles are read between two signs of progress.
constexpr size_t kBatch = 512;

std::string inputList(const std::vector<fs::path>& profiles) {
  std::string list;
  for (const fs::path& profile : profiles) {
    if (profile.string().find('\n') != std::string::npos)
      throw Failure({"profiles", "a profile's path contains a line break",
                     "it cannot be given to llvm-profdata", "rename the file or its folder"});
    // The explicit weight keeps commas and '#' in paths from being taken for syntax.
    list += fmt::format("1,{}\n", profile.string());
  }
  return list;
}

} // namespace

MergeResult ProfdataTool::merge(const std::vector<fs::path>& profiles, const fs::path& output,
                                const Progress& progress) const {
  MergeResult result;
  std::vector<fs::path> parts;
  for (size_t begin = 0; begin < profiles.size(); begin += kBatch) {
    const size_t end = std::min(profiles.size(), begin + kBatch);
    const fs::path part = fmt::format("{}.part{}", output.string(), parts.size());
    MergeResult batch = mergeBatch({profiles.begin() + static_cast<ptrdiff_t>(begin),
                                    profiles.begin() + static_cast<ptrdiff_t>(end)},
                                   part);
    if (batch.merged != 0)
      parts.push_back(part);
    result.merged += batch.merged;
    std::move(batch.problems.begin(), batch.problems.end(), std::back_inserter(result.problems));
    std::move(batch.notes.begin(), batch.notes.end(), std::back_inserter(result.notes));
    progress(end, profiles.size());
  }
  if (parts.empty())
    return result;
  join(parts, output);
  listFunctions(output, result);
  return result;
}

void ProfdataTool::join(const std::vector<fs::path>& parts, const fs::path& output) const {
  if (parts.size() == 1) {
    fs::rename(parts[0], output);
    return;
  }
  const MergeResult joined = mergeBatch(parts, output);
  if (joined.merged != parts.size())
    throw Failure(joined.problems.at(0));
  for (const fs::path& part : parts)
    fs::remove(part);
}

MergeResult ProfdataTool::mergeBatch(std::vector<fs::path> profiles, const fs::path& output) const {
  MergeResult result;
  const fs::path list = output.string() + ".inputs";
  while (!profiles.empty()) {
    writeFile(list, inputList(profiles));
    const ChildResult child =
        tool_.run({"merge", "--failure-mode=warn", "-f", list.string(), "-o", output.string()});
    fs::remove(list);
    std::map<std::string, bool> refusedFiles; // path -> was it refused
    for (const fs::path& profile : profiles)
      refusedFiles[profile.string()] = false;
    std::vector<std::string> notes;
    bool anyRefused = false;
    for (const std::string& line : splitLines(child.errorOutput)) {
      const auto refusal = refusalIn(line, refusedFiles);
      if (!refusal || isOnlyRemark(refusal->reason)) {
        notes.push_back(line);
      } else if (!refusedFiles[refusal->file]) {
        refusedFiles[refusal->file] = anyRefused = true;
        result.problems.push_back(refused(*refusal));
      }
    }
    if (!anyRefused && child.status != 0)
      throw Failure({"profiles",
                     fmt::format("llvm-profdata failed with status {}: {}", child.status,
                                 failureText(child.errorOutput)),
                     "the profiles are not merged", "repair what it names"});
    if (!anyRefused) {
      result.merged = profiles.size();
      result.notes = std::move(notes);
      return result;
    }
    std::erase_if(profiles,
                  [&](const fs::path& profile) { return refusedFiles[profile.string()]; });
  }
  std::error_code ignored;
  fs::remove(output, ignored);
  return result;
}

void ProfdataTool::listFunctions(const fs::path& profile, MergeResult& result) const {
  const fs::path listing = profile.string() + ".functions";
  tool_.runChecked({"show", "--all-functions", "--binary-ids", profile.string()}, listing);
  std::ifstream stream(listing);
  std::map<std::string, size_t> bodies; // records have a name and a hash of the body
  bool inIds = false;                   // they are listed last, one a line
  for (std::string line; std::getline(stream, line);) {
    if (inIds)
      result.binaryIds.insert(line);
    else if (line.starts_with("Binary IDs:"))
      inIds = true;
    else if (isFunctionLine(line)) {
      ++result.functions;
      ++bodies[line.substr(kFunctionIndent, line.size() - kFunctionIndent - 1)];
    }
  }
  for (const auto& [name, count] : bodies)
    if (count > 1)
      result.ambiguousFunctions.push_back(name);
  fs::remove(listing);
}

} // namespace device_coverage
