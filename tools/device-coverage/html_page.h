// What all of a report's pages have in common.
#pragma once

#include <string>
#include <vector>

#include "coverage.h"

namespace device_coverage {

struct HtmlPage {
  std::string title;
  std::string toRoot; ///< `` for a page beside index.html, `../` for one in a folder there
  bool folderFilter = false;
  std::string body;
};

/// A whole document with the report's style, its filters by side and by what is uncovered, and
/// `page.body`.
std::string pageText(const HtmlPage& page, const std::vector<std::string>& sideNames);

/// A table cell with a percentage, shown only when its side is.
std::string ratioCell(const Ratio& ratio, const std::string& sideName);

/// The head of a column that belongs to a side.
std::string sideHead(const std::string& title, const std::string& sideName);

} // namespace device_coverage
