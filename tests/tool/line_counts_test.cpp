#include "line_counts.h"

#include <gtest/gtest.h>

using device_coverage::LineCount;
using device_coverage::lineCounts;
using device_coverage::Segment;

namespace {

Segment entry(uint32_t line, uint32_t column, uint64_t count) {
  return {.line = line, .column = column, .count = count, .hasCount = true, .isRegionEntry = true};
}
Segment resumed(uint32_t line, uint32_t column, uint64_t count) {
  return {.line = line, .column = column, .count = count, .hasCount = true};
}
Segment gap(uint32_t line, uint32_t column, uint64_t count) {
  return {.line = line,
          .column = column,
          .count = count,
          .hasCount = true,
          .isRegionEntry = true,
          .isGap = true};
}
Segment skipped(uint32_t line, uint32_t column) {
  return {.line = line, .column = column, .isRegionEntry = true};
}
Segment end(uint32_t line, uint32_t column) {
  return {.line = line, .column = column};
}

} // namespace

TEST(LineCountsTest, LinesWithoutSegmentsHaveTheCountThatFlowsIn) {
  EXPECT_EQ(lineCounts({entry(2, 1, 5), end(4, 2)}),
            (std::vector<LineCount>{{2, 5}, {3, 5}, {4, 5}}));
}

TEST(LineCountsTest, LinesOutsideOfFunctionsHaveNone) {
  EXPECT_EQ(lineCounts({entry(1, 1, 1), end(1, 9), entry(4, 1, 2), end(4, 9)}),
            (std::vector<LineCount>{{1, 1}, {4, 2}}));
}

TEST(LineCountsTest, TheLargestRegionThatBeginsOnALineDecides) {
  EXPECT_EQ(lineCounts({entry(1, 1, 3), entry(1, 9, 8), resumed(1, 12, 3), end(2, 1)}),
            (std::vector<LineCount>{{1, 8}, {2, 3}}));
}

TEST(LineCountsTest, AnUnrunInnerRegionDoesNotHideTheLineAroundIt) {
  EXPECT_EQ(lineCounts({entry(1, 1, 4), entry(2, 5, 0), resumed(2, 9, 4), end(3, 1)}),
            (std::vector<LineCount>{{1, 4}, {2, 4}, {3, 4}}));
}

TEST(LineCountsTest, AGapBetweenStatementsDoesNotDecide) {
  EXPECT_EQ(lineCounts({entry(1, 1, 1), gap(1, 9, 7), entry(2, 3, 0), resumed(2, 8, 1), end(3, 1)}),
            (std::vector<LineCount>{{1, 1}, {2, 7}, {3, 1}}));
}

TEST(LineCountsTest, CodeThatThePreprocessorLeftOutHasNoCount) {
  EXPECT_EQ(lineCounts({entry(1, 1, 1), skipped(2, 1), resumed(4, 1, 1), end(5, 1)}),
            (std::vector<LineCount>{{1, 1}, {5, 1}}));
}

TEST(LineCountsTest, NoSegmentsNoLines) {
  EXPECT_TRUE(lineCounts({}).empty());
}
