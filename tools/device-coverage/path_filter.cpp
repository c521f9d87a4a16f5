#include "path_filter.h"

#include <algorithm>

#include <fmt/format.h>

#include "message.h"

namespace device_coverage {

PathFilter::PathFilter(const std::vector<std::string>& ignore) {
  for (const std::string& expression : ignore) {
    try {
      ignore_.emplace_back(expression, std::regex::ECMAScript | std::regex::optimize);
    } catch (const std::regex_error& error) {
      throw Failure({"ignore",
                     fmt::format("`{}` is not a regular expression ({})", expression, error.what()),
                     "no report is made", "write an ECMAScript expression for the whole path"},
                    ExitStatus::Usage);
    }
  }
}

bool PathFilter::ignores(const std::string& path) const {
  return std::any_of(ignore_.begin(), ignore_.end(), [&](const std::regex& expression) {
    return std::regex_match(path, expression);
  });
}

} // namespace device_coverage
