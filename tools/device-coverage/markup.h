// Text inside of HTML and XML.
#pragma once

#include <string>
#include <string_view>

namespace device_coverage {

/// For element content and quoted attributes. Control characters, which XML forbids, become U+FFFD.
std::string escapeMarkup(std::string_view text);

} // namespace device_coverage
