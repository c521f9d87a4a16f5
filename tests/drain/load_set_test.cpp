// The set of loads against the standard library's.
#include "load_set.h"

#include <gtest/gtest.h>
#include <random>
#include <set>
#include <tuple>

using namespace device_coverage;

namespace {

TEST(LoadSet, insertionsAndErasuresInAnyOrderAgreeWithASetOfTheStandardLibrary) {
  std::minstd_rand random(1);
  LoadSet set;
  std::set<std::tuple<uint64_t, uint64_t, uint64_t>> expected;
  for (int step = 0; step < 100'000; ++step) {
    const uint64_t executable = random() % 300;
    const uint64_t agent = random() % 4;
    const uint64_t base = random() % 3 * 4096;
    const LoadKey key = {executable, agent, reinterpret_cast<const void*>(base)};
    const auto same = std::make_tuple(executable, agent, base);
    ASSERT_EQ(set.contains(key), expected.count(same) == 1);
    if (random() % 2 == 0) {
      ASSERT_TRUE(set.insert(key));
      expected.insert(same);
    } else {
      set.erase(key);
      expected.erase(same);
    }
  }
  EXPECT_GT(expected.size(), 1000u);
}

} // namespace
