#include "path_filter.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "message.h"

namespace device_coverage {
namespace {

constexpr std::string_view kGlobPrefix = "glob:";
constexpr std::string_view kRegexPrefix = "regex:";
// Beginnings of paths; ROCm installs into /opt/rocm and /opt/rocm-<version>.
constexpr std::array<std::string_view, 4> kSystemFolders{"/usr/include/", "/usr/lib/",
                                                         "/usr/local/include/", "/opt/rocm"};

bool isBelow(const std::string& path, const std::filesystem::path& folder) {
  const std::string beginning = (folder / "").string();
  return !folder.empty() && path.starts_with(beginning);
}

} // namespace

std::string globExpression(std::string_view glob) {
  std::string result;
  while (!glob.empty()) {
    const char c = glob.front();
    const bool anyDepth = glob.starts_with("**");
    if (anyDepth)
      result += ".*";
    else if (c == '*')
      result += "[^/]*";
    else if (c == '?')
      result += "[^/]";
    else if (std::string_view("\\^$.|+()[]{}").find(c) != std::string_view::npos)
      result.append({'\\', c});
    else
      result += c;
    glob.remove_prefix(anyDepth ? 2 : 1);
  }
  return result;
}

std::vector<PathFilter::Pattern> PathFilter::read(const std::vector<std::string>& texts) {
  std::vector<Pattern> patterns;
  for (const std::string& text : texts) {
    const std::string_view all = text;
    const std::string expression =
        all.starts_with(kGlobPrefix)    ? globExpression(all.substr(kGlobPrefix.size()))
        : all.starts_with(kRegexPrefix) ? std::string(all.substr(kRegexPrefix.size()))
                                        : text;
    try {
      patterns.push_back(
          {text, std::regex(expression, std::regex::ECMAScript | std::regex::optimize)});
    } catch (const std::regex_error& error) {
      throw Failure({"ignore",
                     fmt::format("`{}` is not a regular expression ({})", text, error.what()),
                     "no report is made",
                     "write an ECMAScript expression for the whole path, or glob:<pattern>"},
                    ExitStatus::Usage);
    }
  }
  return patterns;
}

PathFilter::PathFilter(const FilterRules& rules)
    : ignore_(read(rules.ignore)), include_(read(rules.include)), source_(rules.sourceDirectory),
      build_(rules.buildDirectory) {}

std::optional<std::string> PathFilter::reasonToIgnore(const std::string& path) const {
  const auto matches = [&](const Pattern& pattern) {
    return std::regex_match(path, pattern.expression);
  };
  const auto ignored = std::find_if(ignore_.begin(), ignore_.end(), matches);
  if (ignored != ignore_.end())
    return fmt::format("matches {}", ignored->text);
  if (!include_.empty()) {
    if (std::any_of(include_.begin(), include_.end(), matches))
      return std::nullopt;
    return "matches nothing that is to be included";
  }
  // A build folder is often inside the source folder, and now and then it is the other way round.
  const bool sourceIsInside = !source_.empty() && isBelow((source_ / "").string(), build_);
  if (isBelow(path, build_) && !(sourceIsInside && isBelow(path, source_)))
    return "is in the build folder";
  const bool isSystem =
      std::any_of(kSystemFolders.begin(), kSystemFolders.end(),
                  [&](std::string_view folder) { return path.starts_with(folder); });
  if (isSystem && !isBelow(path, source_))
    return "is in a system folder";
  return std::nullopt;
}

} // namespace device_coverage
