#include "summary_text.h"

#include <gtest/gtest.h>

#include "line_join.h"

using namespace device_coverage;

TEST(PercentTest, OnlyFullCoverageIsAHundred) {
  EXPECT_EQ(percentText({9'999'999, 10'000'000}), "99.99% (9999999/10000000)");
  EXPECT_EQ(percentText({3, 3}), "100.00% (3/3)");
}

TEST(PercentTest, NothingToCoverIsNoPercentage) {
  EXPECT_EQ(percentText({0, 0}), "-");
}

TEST(PercentTest, IsCutAndNotRounded) {
  EXPECT_EQ(percentText({2, 3}), "66.66% (2/3)");
}

namespace {

ReportResult sample() {
  ReportResult result;
  result.name = "sample";
  SideCoverage host;
  host.totals = {.lines = {1, 2}, .functions = {1, 1}, .regions = {3, 4}, .branches = {0, 0}};
  result.sides = {host};
  return result;
}

} // namespace

TEST(SummaryTextTest, ColumnsOfOneTableAreAligned) {
  EXPECT_EQ(summaryText(sample(), false),
            "Coverage of sample\n\n"
            "side         lines      functions       regions  branches\n"
            "host  50.00% (1/2)  100.00% (1/1)  75.00% (3/4)         -\n");
}

TEST(SummaryTextTest, WithoutColourThereIsNoEscape) {
  EXPECT_EQ(summaryText(sample(), false).find('\x1b'), std::string::npos);
  EXPECT_NE(summaryText(sample(), true).find('\x1b'), std::string::npos);
}

TEST(SummaryTextTest, MissingSidesComeWithTheirReason) {
  ReportResult result = sample();
  result.missing = {{"gfx90a", "it never ran"}};
  EXPECT_NE(summaryText(result, false).find("gfx90a: it never ran"), std::string::npos);
}

namespace {

FileCoverage fileWith(const char* path, std::vector<LineCount> lines) {
  FileCoverage file;
  file.path = path;
  file.lines = std::move(lines);
  return file;
}

} // namespace

TEST(LineJoinTest, CountsOfSidesStandBesideEachOtherAndAreNotAdded) {
  SideCoverage host;
  host.files = {fileWith("/a.h", {{1, 5}, {2, 0}})};
  SideCoverage device;
  device.side = Side::device(TargetId::parse("gfx90a").value());
  device.files = {fileWith("/a.h", {{2, 64}, {3, 1}}), fileWith("/0.h", {{9, 9}})};
  const std::vector<SideCoverage> sides{host, device};
  const auto joined = joinSides(sides);
  ASSERT_EQ(joined.size(), 2U);
  EXPECT_EQ(joined[0].path, "/0.h");
  EXPECT_EQ(joined[0].sides[0], nullptr);
  EXPECT_EQ(joined[0].sides[1], &sides[1].files[1]);
  using Counts = std::vector<std::optional<uint64_t>>;
  EXPECT_EQ(joined[1].lines.at(1), (Counts{5, std::nullopt}));
  EXPECT_EQ(joined[1].lines.at(2), (Counts{0, 64}));
  EXPECT_EQ(joined[1].lines.at(3), (Counts{std::nullopt, 1}));
}
