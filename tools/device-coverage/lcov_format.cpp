#include "lcov_format.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace device_coverage {
namespace {

/// LCOV allows letters, digits and underscores in a test's name.
std::string testName(const Side& side) {
  std::string name = side.fileName();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

std::string functionRecords(const FileCoverage& file) {
  std::string text;
  size_t hit = 0;
  for (const FunctionCoverage& function : file.functions)
    text += fmt::format("FN:{},{}\n", function.firstLine, function.name);
  for (const FunctionCoverage& function : file.functions) {
    text += fmt::format("FNDA:{},{}\n", function.count, function.name);
    hit += function.count != 0 ? 1 : 0;
  }
  return text + fmt::format("FNF:{}\nFNH:{}\n", file.functions.size(), hit);
}

/// A branch that was never reached has `-`, which is not 0 times taken.
std::string branchRecords(const FileCoverage& file) {
  std::string text;
  size_t hit = 0;
  size_t block = 0;
  for (const BranchCount& branch : file.branches) {
    const bool reached = branch.whenTrue != 0 || branch.whenFalse != 0;
    size_t outcome = 0;
    for (const uint64_t count : {branch.whenTrue, branch.whenFalse}) {
      text += fmt::format("BRDA:{},{},{},{}\n", branch.line, block, outcome++,
                          reached ? std::to_string(count) : "-");
      hit += count != 0 ? 1 : 0;
    }
    ++block;
  }
  return text + fmt::format("BRF:{}\nBRH:{}\n", 2 * file.branches.size(), hit);
}

std::string lineRecords(const FileCoverage& file) {
  std::string text;
  size_t hit = 0;
  for (const LineCount& line : file.lines) {
    text += fmt::format("DA:{},{}\n", line.line, line.count);
    hit += line.count != 0 ? 1 : 0;
  }
  return text + fmt::format("LF:{}\nLH:{}\n", file.lines.size(), hit);
}

} // namespace

std::string lcovText(const SideCoverage& side) {
  std::string text;
  for (const FileCoverage& file : side.files)
    text += fmt::format("TN:{}\nSF:{}\n{}{}{}end_of_record\n", testName(side.side), file.path,
                        functionRecords(file), branchRecords(file), lineRecords(file));
  return text;
}

} // namespace device_coverage
