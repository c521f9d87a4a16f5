// The seed alone decides how the waves of a dispatch interleave: races can be provoked and repeated.

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "command.h"

namespace {

/// What the racing program counted.
std::string countsWithSeed(int seed) {
  const Outcome outcome = runCommand("'" LAUNCHER "' --seed " + std::to_string(seed) + " -- '" RACE
                                     "'");
  EXPECT_EQ(0, outcome.status) << outcome.output;
  return outcome.output;
}

} // namespace

TEST(Seeds, TheSameSeedRepeatsTheSameRace) {
  const std::string first = countsWithSeed(7);
  EXPECT_EQ(first, countsWithSeed(7));
  EXPECT_EQ(first, countsWithSeed(7));
}

TEST(Seeds, DifferentSeedsRaceDifferently) {
  std::set<std::string> outcomes;
  for (int seed = 1; seed <= 4; ++seed)
    outcomes.insert(countsWithSeed(seed));
  EXPECT_GT(outcomes.size(), 1u);
}

TEST(Seeds, ARaceLosesUpdates) {
  unsigned first = 0;
  ASSERT_EQ(1, std::sscanf(countsWithSeed(0).c_str(), "%u", &first));
  EXPECT_GT(first, 0u);
  EXPECT_LT(first, 5u * 40 * 2) << "no wave ever interrupted another";
}
