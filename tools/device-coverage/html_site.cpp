#include "html_site.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "html_assets.h"
#include "html_index.h"
#include "html_source_page.h"
#include "line_join.h"
#include "output_file.h"
#include "source_text.h"

namespace device_coverage {
namespace {

/// Numbered, since files of one name may be in many folders; only characters that need no escaping.
std::string pageName(size_t number, const std::string& path) {
  std::string name = std::filesystem::path(path).filename().string();
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '.' && c != '-'; }, '_');
  return fmt::format("files/{}-{}.html", number, name);
}

} // namespace

void writeHtmlSite(const ReportResult& result, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder / "files");
  const std::vector<JoinedFile> files = joinSides(result.sides);
  std::vector<std::string> pages;
  for (const JoinedFile& file : files) {
    pages.push_back(pageName(pages.size() + 1, file.path));
    writeFile(folder / pages.back(), htmlSourcePage(file, sideNames(result), readLines(file.path)));
  }
  writeFile(folder / "index.html", htmlIndex(result, files, pages));
  writeFile(folder / "report.css", kReportCss);
  writeFile(folder / "report.js", kReportJs);
}

} // namespace device_coverage
