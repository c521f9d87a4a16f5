// Which source files a report leaves out.
#pragma once

#include <regex>
#include <string>
#include <vector>

namespace device_coverage {

/// Anchored: an expression must match the whole path, so that `ext/.*` cannot drop `/next/` by
/// accident.
class PathFilter {
public:
  /// Throws Failure, naming the expression, when one is not an ECMAScript regular expression.
  explicit PathFilter(const std::vector<std::string>& ignore);

  bool ignores(const std::string& path) const;

private:
  std::vector<std::regex> ignore_;
};

} // namespace device_coverage
