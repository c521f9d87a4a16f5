#include "markup.h"

namespace device_coverage {

std::string escapeMarkup(std::string_view text) {
  constexpr unsigned char kFirstPrintable = 0x20;
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else if (static_cast<unsigned char>(c) < kFirstPrintable && c != '\t')
      result += "\xef\xbf\xbd";
    else
      result += c;
  }
  return result;
}

} // namespace device_coverage
