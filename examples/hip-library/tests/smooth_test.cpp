#include "hipstat/hipstat.h"
#include "test_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace {

std::vector<float> expectedSmooth(const std::vector<float>& values, int radius) {
  std::vector<float> result;
  const int last = static_cast<int>(values.size()) - 1;
  for (int i = 0; i <= last; ++i) {
    float sum = 0;
    float weights = 0;
    for (int offset = -radius; offset <= radius; ++offset) {
      const float weight = 1.0f / static_cast<float>(1 + std::abs(offset));
      sum += weight * values[static_cast<size_t>(std::clamp(i + offset, 0, last))];
      weights += weight;
    }
    result.push_back(sum / weights);
  }
  return result;
}

TEST(Smooth, AgreesWithTheHostForRadiusTwo) {
  const std::vector<float> values = randomValues(300, 10);
  const std::vector<float> smoothed = hipstat::smooth(values, 2);
  const std::vector<float> expected = expectedSmooth(values, 2);
  ASSERT_EQ(smoothed.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(smoothed[i], expected[i], 1e-4) << "at " << i;
}

TEST(Smooth, OfRadiusZeroIsTheInput) {
  const std::vector<float> values = randomValues(64, 10);
  EXPECT_EQ(hipstat::smooth(values, 0), values);
}

TEST(Smooth, RefusesALargeRadius) {
  EXPECT_THROW(hipstat::smooth({1}, 5), std::invalid_argument);
}

// The weight is a __host__ __device__ function: this runs its first half, on the host alone.
TEST(Smooth, GivesNoWeightBeyondTheRadius) {
  EXPECT_EQ(hipstat::smoothingWeight(3, 2), 0);
}

} // namespace
