#include "changed_lines.h"

#include <charconv>
#include <sstream>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "child_process.h"
#include "llvm_tool.h"
#include "message.h"

namespace device_coverage {
namespace {

std::string git(const std::filesystem::path& folder, std::vector<std::string> arguments) {
  const auto fail = [&](const std::string& fact) {
    throw Failure({"git", fact, "the changed lines are not known",
                   "name a revision that this clone has, and the sources' folder with --source"});
  };
  arguments.insert(arguments.begin(), {"git", "-C", folder.string(), "-c", "core.quotePath=false"});
  try {
    const ChildResult result = runChild(arguments);
    if (result.status != 0)
      fail(fmt::format("git failed: {}", fmt::join(splitLines(result.errorOutput), " / ")));
    return result.output;
  } catch (const std::system_error& error) {
    fail(fmt::format("git cannot be run ({})", errnoText(error.code().value())));
  }
  return {};
}

/// The `+first,count` of `@@ -a,b +first,count @@`.
void addHunk(const std::string& line, std::set<uint32_t>& lines) {
  const size_t plus = line.find('+');
  if (plus == std::string::npos)
    return;
  const char* const end = line.data() + line.size();
  uint32_t first = 0;
  uint32_t count = 1; // what git means when it leaves the count out
  const char* next = std::from_chars(line.data() + plus + 1, end, first).ptr;
  if (next != end && *next == ',')
    std::from_chars(next + 1, end, count);
  for (uint32_t i = 0; i < count; ++i)
    lines.insert(first + i);
}

} // namespace

ChangedLines readPatch(const std::string& patch, const std::filesystem::path& root) {
  constexpr std::string_view kNewFile = "+++ b/";
  ChangedLines changed;
  std::set<uint32_t>* lines = nullptr;
  std::istringstream stream(patch);
  // A line of content begins with + or - as headers do; the header of a file comes after its `diff`
  // line only.
  bool inHeader = false;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("diff --git ")) {
      inHeader = true;
      lines = nullptr;
    } else if (inHeader && line.starts_with(kNewFile)) {
      // git ends names that contain spaces with a tab.
      if (line.ends_with('\t'))
        line.pop_back();
      lines = &changed[(root / line.substr(kNewFile.size())).lexically_normal().string()];
    } else if (line.starts_with("@@ ")) {
      inHeader = false;
      if (lines != nullptr)
        addHunk(line, *lines);
    }
  }
  return changed;
}

ChangedLines changedSince(const std::string& revision, const std::filesystem::path& folder) {
  std::string root = git(folder, {"rev-parse", "--show-toplevel"});
  root.erase(root.find_last_not_of('\n') + 1);
  // `--end-of-options` keeps a revision that begins with a dash from being taken for an option.
  return readPatch(
      git(folder, {"diff", "--unified=0", "--no-color", "--no-ext-diff", "--no-renames",
                   "--src-prefix=a/", "--dst-prefix=b/", "--end-of-options", revision, "--"}),
      root);
}

} // namespace device_coverage
