#include "html_index.h"

#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "html_page.h"
#include "markup.h"

namespace device_coverage {
namespace {

std::string sideTable(const ReportResult& result) {
  std::string text = "<div class=\"scroll\"><table>\n<tr><th>side</th>"
                     "<th class=\"number\">lines</th><th class=\"number\">functions</th>"
                     "<th class=\"number\">regions</th><th class=\"number\">branches</th></tr>\n";
  for (const SideCoverage& side : result.sides) {
    const std::string name = side.side.name();
    text += fmt::format("<tr data-side=\"{0}\"><td>{0}</td>", escapeMarkup(name));
    for (const Ratio& ratio :
         {side.totals.lines, side.totals.functions, side.totals.regions, side.totals.branches})
      text += ratioCell(ratio, name);
    text += "</tr>\n";
  }
  return text + "</table></div>\n";
}

std::string list(const char* title, const std::vector<std::string>& items) {
  if (items.empty())
    return "";
  std::string text = fmt::format("<h2>{}</h2>\n<ul class=\"notes\">\n", title);
  for (const std::string& item : items)
    text += fmt::format("<li>{}</li>\n", escapeMarkup(item));
  return text + "</ul>\n";
}

std::string folderOf(const std::string& path) {
  return std::filesystem::path(path).parent_path().string();
}

std::string fileRow(const JoinedFile& file, const std::string& page,
                    const std::vector<std::string>& names) {
  std::vector<std::string> present;
  std::vector<std::string> uncovered;
  std::string cells;
  for (size_t i = 0; i < names.size(); ++i) {
    const FileCoverage* side = file.sides[i];
    cells += ratioCell(side != nullptr ? side->metrics.lines : Ratio(), names[i]);
    cells += ratioCell(side != nullptr ? side->metrics.branches : Ratio(), names[i]);
    if (side == nullptr)
      continue;
    present.push_back(names[i]);
    if (side->metrics.lines.covered < side->metrics.lines.count)
      uncovered.push_back(names[i]);
  }
  return fmt::format("<tr class=\"filtered\" data-path=\"{}\" data-folder=\"{}\" data-sides=\"{}\" "
                     "data-uncovered=\"{}\">"
                     "<td><a class=\"within\" href=\"{}\">{}</a></td>{}</tr>\n",
                     escapeMarkup(file.path), escapeMarkup(folderOf(file.path)),
                     fmt::join(present, " "), fmt::join(uncovered, " "), escapeMarkup(page),
                     escapeMarkup(std::filesystem::path(file.path).filename().string()), cells);
}

std::string fileTable(const std::vector<JoinedFile>& files, const std::vector<std::string>& pages,
                      const std::vector<std::string>& names) {
  std::map<std::string, std::string> rowsByFolder;
  for (size_t i = 0; i < files.size(); ++i)
    rowsByFolder[folderOf(files[i].path)] += fileRow(files[i], pages[i], names);
  std::string text = "<h2>Files</h2>\n<div class=\"scroll\"><table>\n<tr><th>file</th>";
  for (const std::string& name : names)
    text += sideHead(name + " lines", name) + sideHead(name + " branches", name);
  text += "</tr>\n";
  for (const auto& [folder, rows] : rowsByFolder)
    text += fmt::format(
        "<tr class=\"folder\" data-folder=\"{0}\"><td colspan=\"{1}\">{0}</td></tr>\n{2}",
        escapeMarkup(folder), 1 + 2 * names.size(), rows);
  return text + "</table></div>\n";
}

} // namespace

std::vector<std::string> sideNames(const ReportResult& result) {
  std::vector<std::string> names;
  for (const SideCoverage& side : result.sides)
    names.push_back(side.side.name());
  return names;
}

std::string htmlIndex(const ReportResult& result, const std::vector<JoinedFile>& files,
                      const std::vector<std::string>& pages) {
  std::vector<std::string> missing;
  for (const MissingSide& side : result.missing)
    missing.push_back(fmt::format("{}: {}", side.name, side.reason));
  std::vector<std::string> problems;
  for (const Message& problem : result.problems)
    problems.push_back(
        fmt::format("{}; {}; {}", problem.fact, problem.consequence, problem.remedy));
  HtmlPage page;
  page.title = result.name.empty() ? "Coverage" : fmt::format("Coverage of {}", result.name);
  page.folderFilter = true;
  page.body = sideTable(result) + list("Problems", problems) + list("Not measured", missing) +
              list("Remarks", result.notes) + fileTable(files, pages, sideNames(result));
  return pageText(page, sideNames(result));
}

} // namespace device_coverage
