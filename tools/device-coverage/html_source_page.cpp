#include "html_source_page.h"

#include <algorithm>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "html_page.h"
#include "markup.h"
#include "missed_code.h"
#include "source_text.h"

namespace device_coverage {
namespace {

using Names = std::vector<std::string>;

/// A line's text with a mark around each piece that never ran on some side.
std::string markedText(const std::string& text, const std::vector<MissedPiece>& pieces,
                       const Names& names) {
  std::string result;
  for (const TextPiece& piece : splitByMissed(text.size(), pieces)) {
    const std::string content =
        escapeMarkup(std::string_view(text).substr(piece.begin, piece.end - piece.begin));
    if (piece.sides.empty()) {
      result += content;
      continue;
    }
    Names missed;
    for (const size_t side : piece.sides)
      missed.push_back(names[side]);
    result += fmt::format(
        "<span class=\"miss-any\" data-missed=\"{0}\" title=\"never ran on {0}\">{1}</span>",
        escapeMarkup(fmt::format("{}", fmt::join(missed, " "))), content);
  }
  return result;
}

/// `T 3 F 0`, one for each condition, so that an outcome that never came is seen.
std::string branchText(const JoinedFile& file, uint32_t line, const Names& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (file.sides[i] == nullptr)
      continue;
    std::string counts;
    for (const BranchCount& branch : file.sides[i]->branches)
      if (branch.line == line)
        counts += fmt::format(" [true {}, false {}]", branch.whenTrue, branch.whenFalse);
    if (!counts.empty())
      text += fmt::format("<span class=\"branches\" data-side=\"{0}\">  {0}:{1}</span>",
                          escapeMarkup(names[i]), counts);
  }
  return text;
}

std::string lineRow(const JoinedFile& file, uint32_t line, const std::string& code,
                    const Names& names) {
  Names present;
  Names uncovered;
  std::string cells;
  const auto counts = file.lines.find(line);
  for (size_t i = 0; i < names.size(); ++i) {
    const bool holdsCode = counts != file.lines.end() && counts->second[i].has_value();
    const uint64_t count = holdsCode ? *counts->second[i] : 0;
    const char* state = !holdsCode ? "" : count != 0 ? " hit" : " miss";
    cells += fmt::format("<td class=\"number{}\" data-side=\"{}\">{}</td>", state,
                         escapeMarkup(names[i]), holdsCode ? std::to_string(count) : "");
    if (file.sides[i] != nullptr)
      present.push_back(names[i]);
    if (holdsCode && count == 0)
      uncovered.push_back(names[i]);
  }
  return fmt::format(
      "<tr class=\"filtered\" id=\"L{0}\" data-path=\"\" data-sides=\"{1}\" data-uncovered=\"{2}\">"
      "<td class=\"line\">{0}</td>{3}<td class=\"code\">{4}{5}</td></tr>\n",
      line, fmt::join(present, " "), fmt::join(uncovered, " "), cells, code,
      branchText(file, line, names));
}

std::string sourceTable(const JoinedFile& file, const Names& names,
                        const std::optional<std::vector<std::string>>& source) {
  std::string text = "<div class=\"scroll\"><table class=\"source\">\n<tr><th>line</th>";
  for (const std::string& name : names)
    text += sideHead(name, name);
  text += "<th>source</th></tr>\n";
  const auto missed = missedPieces(file);
  if (!source) {
    for (const auto& [line, counts] : file.lines)
      text += lineRow(file, line, "", names);
    return text + "</table></div>\n";
  }
  for (uint32_t line = 1; line <= source->size(); ++line) {
    const auto pieces = missed.find(line);
    text += lineRow(file, line,
                    pieces == missed.end() ? escapeMarkup((*source)[line - 1])
                                           : markedText((*source)[line - 1], pieces->second, names),
                    names);
  }
  return text + "</table></div>\n";
}

/// Functions by their first line; several at one line are instances of a template.
std::string functionTable(const JoinedFile& file, const Names& names) {
  struct Row {
    uint32_t line = 0;
    std::vector<const FunctionCoverage*> sides;
  };
  std::map<std::pair<uint32_t, std::string>, Row> rows;
  for (size_t i = 0; i < names.size(); ++i) {
    if (file.sides[i] == nullptr)
      continue;
    for (const FunctionCoverage& function : file.sides[i]->functions) {
      Row& row = rows[{function.firstLine, function.name}];
      row.line = function.firstLine;
      row.sides.resize(names.size());
      row.sides[i] = &function;
    }
  }
  std::string text =
      "<h2>Functions and instances</h2>\n<div class=\"scroll\"><table>\n<tr><th>function</th>";
  for (const std::string& name : names)
    text += sideHead(name + " calls", name) + sideHead(name + " regions", name);
  text += "</tr>\n";
  for (const auto& [key, row] : rows) {
    text += fmt::format("<tr><td><a href=\"#L{}\">{}</a></td>", row.line,
                        escapeMarkup(readableName(key.second)));
    for (size_t i = 0; i < names.size(); ++i) {
      const FunctionCoverage* function = row.sides[i];
      text += fmt::format("<td class=\"number\" data-side=\"{}\">{}</td>", escapeMarkup(names[i]),
                          function != nullptr ? std::to_string(function->count) : "") +
              ratioCell(function != nullptr ? function->regions : Ratio(), names[i]);
    }
    text += "</tr>\n";
  }
  return text + "</table></div>\n";
}

} // namespace

std::string htmlSourcePage(const JoinedFile& file, const std::vector<std::string>& sideNames,
                           const std::optional<std::vector<std::string>>& source) {
  HtmlPage page;
  page.title = file.path;
  page.toRoot = "../";
  page.body = "<p><a class=\"within\" href=\"../index.html\">All files</a></p>\n";
  if (!source)
    page.body +=
        "<p class=\"notes\">The source is not on the machine where the report was made.</p>\n";
  page.body += sourceTable(file, sideNames, source) + functionTable(file, sideNames);
  return pageText(page, sideNames);
}

} // namespace device_coverage
