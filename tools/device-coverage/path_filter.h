// Which source files a report leaves out, and why.
#pragma once

#include <filesystem>
#include <optional>
#include <regex>
#include <string>
#include <vector>

namespace device_coverage {

struct FilterRules {
  /// Each is `glob:<pattern>`, `regex:<expression>`, or an ECMAScript expression without a prefix.
  std::vector<std::string> ignore, include;
  std::filesystem::path sourceDirectory, buildDirectory; ///< of the project, or empty
};

/// Patterns are anchored: they must match the whole path, so that `ext/.*` cannot drop `/next/` by
/// accident.
class PathFilter {
public:
  /// Throws Failure, naming the pattern, when one cannot be read.
  explicit PathFilter(const FilterRules& rules);

  /// Why a file is left out; nothing for one that is kept. Where something is to be included only
  /// that is kept; otherwise what is in the build folder or in a system folder and not in the
  /// source folder is left out.
  std::optional<std::string> reasonToIgnore(const std::string& path) const;

private:
  struct Pattern {
    std::string text;
    std::regex expression;
  };

  static std::vector<Pattern> read(const std::vector<std::string>& texts);

  std::vector<Pattern> ignore_, include_;
  std::filesystem::path source_, build_;
};

/// An ECMAScript expression for a glob: `*` and `?` stay within a folder, `**` does not.
std::string globExpression(std::string_view glob);

} // namespace device_coverage
