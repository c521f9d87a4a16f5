#include "hipstat/hipstat.h"
#include "test_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace {

void expectSummary(const std::vector<float>& values) {
  const hipstat::Summary summary = hipstat::summarize(values);
  EXPECT_NEAR(summary.sum, std::accumulate(values.begin(), values.end(), 0.0), 1e-6);
  EXPECT_EQ(summary.smallest, *std::min_element(values.begin(), values.end()));
  EXPECT_EQ(summary.largest, *std::max_element(values.begin(), values.end()));
}

TEST(Summarize, AgreesWithTheHostForManyBlocks) {
  expectSummary(randomValues(5000, 100));
}

TEST(Summarize, AgreesWithTheHostForLessThanAWave) {
  expectSummary(randomValues(17, 1));
}

TEST(Summarize, OfNothingIsZero) {
  const hipstat::Summary summary = hipstat::summarize({});
  EXPECT_EQ(summary.sum, 0);
  EXPECT_EQ(summary.smallest, 0);
  EXPECT_EQ(summary.largest, 0);
}

} // namespace
