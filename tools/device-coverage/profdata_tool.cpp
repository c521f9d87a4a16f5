#include "profdata_tool.h"

#include <charconv>
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

MergeResult ProfdataTool::merge(std::vector<fs::path> profiles, const fs::path& output) const {
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
      throw Failure(
          {"profiles",
           fmt::format("llvm-profdata failed with status {}: {}", child.status, child.errorOutput),
           "the profiles are not merged", "repair what it names"});
    if (!anyRefused) {
      result.merged = profiles.size();
      result.notes = std::move(notes);
      result.functions = functionCount(output);
      return result;
    }
    std::erase_if(profiles,
                  [&](const fs::path& profile) { return refusedFiles[profile.string()]; });
  }
  std::error_code ignored;
  fs::remove(output, ignored);
  return result;
}

size_t ProfdataTool::functionCount(const fs::path& profile) const {
  const std::string text = tool_.runChecked({"show", profile.string()}).output;
  constexpr std::string_view kKey = "Total functions: ";
  size_t count = 0;
  const size_t begin = text.find(kKey);
  if (begin != std::string::npos)
    std::from_chars(text.data() + begin + kKey.size(), text.data() + text.size(), count);
  return count;
}

} // namespace device_coverage
