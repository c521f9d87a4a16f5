#include "summary_text.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace device_coverage {
namespace {

constexpr std::array<const char*, 5> kTitles{"side", "lines", "functions", "regions", "branches"};
constexpr uint64_t kHighPercent = 80; // as in llvm-cov's own colouring
constexpr const char* kRed = "\x1b[31m";
constexpr const char* kYellow = "\x1b[33m";
constexpr const char* kGreen = "\x1b[32m";
constexpr const char* kPlain = "\x1b[0m";

using Row = std::array<std::string, kTitles.size()>;

std::array<Ratio, 4> columns(const Metrics& metrics) {
  return {metrics.lines, metrics.functions, metrics.regions, metrics.branches};
}

const char* colourOf(const Ratio& ratio) {
  if (ratio.covered == ratio.count)
    return kGreen;
  return ratio.covered >= ratio.count / 100.0 * kHighPercent ? kYellow : kRed;
}

std::string tableText(const std::vector<SideCoverage>& sides, bool colour) {
  std::array<size_t, kTitles.size()> widths{};
  std::vector<Row> rows;
  rows.push_back({});
  std::copy(kTitles.begin(), kTitles.end(), rows[0].begin());
  for (const SideCoverage& side : sides) {
    Row row{side.side.name()};
    const auto ratios = columns(side.totals);
    std::transform(ratios.begin(), ratios.end(), row.begin() + 1, percentText);
    rows.push_back(std::move(row));
  }
  for (const Row& row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (size_t r = 0; r < rows.size(); ++r) {
    text += fmt::format("{:<{}}", rows[r][0], widths[0]);
    for (size_t i = 1; i < rows[r].size(); ++i) {
      const std::string cell = fmt::format("{:>{}}", rows[r][i], widths[i]);
      const bool isRatio = colour && r > 0;
      text += fmt::format("  {}{}{}", isRatio ? colourOf(columns(sides[r - 1].totals)[i - 1]) : "",
                          cell, isRatio ? kPlain : "");
    }
    text += '\n';
  }
  return text;
}

} // namespace

std::string percentText(const Ratio& ratio) {
  if (ratio.count == 0)
    return "-";
  // Hundredths of a percent, cut; counts of lines times 10,000 stay far below 2^64.
  const uint64_t hundredths = ratio.covered * 10000 / ratio.count;
  return fmt::format("{}.{:02}% ({}/{})", hundredths / 100, hundredths % 100, ratio.covered,
                     ratio.count);
}

std::string summaryText(const ReportResult& result, bool colour) {
  std::string text = result.name.empty() ? std::string("Coverage\n\n")
                                         : fmt::format("Coverage of {}\n\n", result.name);
  text += tableText(result.sides, colour);
  if (!result.missing.empty())
    text += "\nNot measured\n";
  for (const MissingSide& side : result.missing)
    text += fmt::format("  {}: {}\n", side.name, side.reason);
  if (!result.notes.empty())
    text += "\nRemarks\n";
  for (const std::string& note : result.notes)
    text += fmt::format("  {}\n", note);
  return text;
}

std::string problemsText(const ReportResult& result) {
  std::string text;
  for (const Message& problem : result.problems)
    text += fmt::format("{}  {}: {}; {}; {}\n", text.empty() ? "\nProblems\n" : "", problem.phase,
                        problem.fact, problem.consequence, problem.remedy);
  return text;
}

} // namespace device_coverage
