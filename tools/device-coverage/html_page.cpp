#include "html_page.h"

#include <fmt/format.h>

#include "markup.h"
#include "summary_text.h"

namespace device_coverage {
namespace {

std::string controls(const HtmlPage& page, const std::vector<std::string>& sideNames) {
  std::string text = "<div class=\"controls\">\n<label>Side <select id=\"side\">\n"
                     "<option value=\"\">all</option>\n";
  for (const std::string& name : sideNames)
    text += fmt::format("<option>{}</option>\n", escapeMarkup(name));
  text += "</select></label>\n";
  if (page.folderFilter)
    text += "<label>Path contains <input type=\"text\" id=\"folder\"></label>\n";
  return text +
         "<label><input type=\"checkbox\" id=\"uncovered\"> uncovered only</label>\n</div>\n";
}

} // namespace

std::string pageText(const HtmlPage& page, const std::vector<std::string>& sideNames) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}</title>\n<link rel=\"stylesheet\" href=\"{1}report.css\">\n</head>\n"
      "<body>\n<h1>{0}</h1>\n{2}{3}<script src=\"{1}report.js\"></script>\n</body>\n</html>\n",
      escapeMarkup(page.title), page.toRoot, controls(page, sideNames), page.body);
}

std::string ratioCell(const Ratio& ratio, const std::string& sideName) {
  const char* state = ratio.count == 0 ? "" : ratio.covered == ratio.count ? " hit" : " miss";
  return fmt::format("<td class=\"number{}\" data-side=\"{}\">{}</td>", state,
                     escapeMarkup(sideName), percentText(ratio));
}

std::string sideHead(const std::string& title, const std::string& sideName) {
  return fmt::format("<th class=\"number\" data-side=\"{}\">{}</th>", escapeMarkup(sideName),
                     escapeMarkup(title));
}

} // namespace device_coverage
