#include "hipstat/hipstat.h"
#include "test_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

std::vector<uint32_t> expectedHistogram(const std::vector<float>& values, float low, float high,
                                        unsigned bins) {
  std::vector<uint32_t> counts(bins, 0);
  const float width = (high - low) / static_cast<float>(bins);
  for (const float value : values) {
    if (value >= low && value < high)
      ++counts[std::min(static_cast<unsigned>((value - low) / width), bins - 1)];
  }
  return counts;
}

TEST(Histogram, CountsWhatLiesInTheRange) {
  const std::vector<float> values = randomValues(3000, 10);
  EXPECT_EQ(hipstat::histogram(values, -8, 8, 16), expectedHistogram(values, -8, 8, 16));
}

TEST(Histogram, DropsNotANumber) {
  const std::vector<float> values = {0.5f, std::numeric_limits<float>::quiet_NaN(), 1.5f};
  EXPECT_EQ(hipstat::histogram(values, 0, 2, 2), (std::vector<uint32_t>{1, 1}));
}

TEST(Histogram, TakesTheSmallestAndTheLargestNumberOfBins) {
  const std::vector<float> values = randomValues(500, 1);
  EXPECT_EQ(hipstat::histogram(values, -1, 1, 1), expectedHistogram(values, -1, 1, 1));
  EXPECT_EQ(hipstat::histogram(values, -1, 1, 1024), expectedHistogram(values, -1, 1, 1024));
}

TEST(Histogram, OfNothingIsEmpty) {
  EXPECT_EQ(hipstat::histogram({}, 0, 1, 3), (std::vector<uint32_t>{0, 0, 0}));
}

TEST(Histogram, RefusesAnEmptyRange) {
  EXPECT_THROW(hipstat::histogram({1}, 1, 1, 4), std::invalid_argument);
  EXPECT_THROW(hipstat::histogram({1}, 0, 1, 0), std::invalid_argument);
}

} // namespace
