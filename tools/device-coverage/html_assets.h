// Files that a report's pages need beside them; made from html_assets/ by CMake.
#pragma once

#include <string_view>

namespace device_coverage {

extern const std::string_view kReportCss;
extern const std::string_view kReportJs;

} // namespace device_coverage
