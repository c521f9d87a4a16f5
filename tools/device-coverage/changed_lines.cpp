#include "changed_lines.h"

#include <algorithm>
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

/// A file's name as it stands in a patch: ended by a tab when it contains spaces; between quotes,
/// as in C, when it contains quotes, backslashes or control characters.
std::string nameIn(std::string text) {
  if (text.ends_with('\t'))
    text.pop_back();
  if (!text.starts_with('"'))
    return text;
  constexpr std::string_view kLetters = "abtnvfr"; // for the characters from 7 on
  constexpr char kFirst = 7;
  std::string name;
  for (size_t i = 1; i < text.size() && text[i] != '"'; ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      name += text[i];
      continue;
    }
    const char next = text[++i];
    uint8_t code = 0;
    if (std::from_chars(&text[i], text.data() + std::min(i + 3, text.size()), code, 8).ptr ==
        &text[i] + 3) {
      name += static_cast<char>(code);
      i += 2;
    } else {
      const size_t letter = kLetters.find(next);
      name += letter == std::string_view::npos ? next : static_cast<char>(kFirst + letter);
    }
  }
  return name;
}

/// The work tree's root, as the user spells it: sources may have been compiled through a link.
std::filesystem::path workTreeOf(const std::filesystem::path& folder) {
  const auto line = [&](const char* what) {
    const std::string text = git(folder, {"rev-parse", what});
    return text.substr(0, text.find_last_not_of('\n') + 1);
  };
  const std::filesystem::path root = line("--show-toplevel");
  const std::filesystem::path spelt =
      (std::filesystem::absolute(folder) / line("--show-cdup")).lexically_normal();
  std::error_code error;
  return std::filesystem::equivalent(root, spelt, error) ? spelt : root;
}

} // namespace

ChangedLines readPatch(const std::string& patch, const std::filesystem::path& root) {
  constexpr std::string_view kNewFile = "+++ ";
  constexpr std::string_view kPrefix = "b/"; // a file that is gone is /dev/null
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
      const std::string name = nameIn(line.substr(kNewFile.size()));
      if (name.starts_with(kPrefix))
        lines = &changed[(root / name.substr(kPrefix.size())).lexically_normal().string()];
    } else if (line.starts_with("@@ ")) {
      inHeader = false;
      if (lines != nullptr)
        addHunk(line, *lines);
    }
  }
  return changed;
}

ChangedLines changedSince(const std::string& revision, const std::filesystem::path& folder) {
  const std::filesystem::path root = workTreeOf(folder);
  // `--end-of-options` keeps a revision that begins with a dash from being taken for an option.
  return readPatch(git(folder, {"diff", "--unified=0", "--no-color", "--no-ext-diff",
                                "--find-renames", "--ignore-submodules", "--src-prefix=a/",
                                "--dst-prefix=b/", "--end-of-options", revision, "--"}),
                   root);
}

} // namespace device_coverage
