// How many workgroups are in flight: as many as compute units hold when they wait for each other, few
// otherwise.
#include <gtest/gtest.h>

#include "interpreter/residency.h"

namespace gpusim::test {
namespace {

Launch launchOf(uint32_t waves, uint32_t vectorRegisters, uint32_t ldsBytes = 0) {
  Launch launch;
  launch.wavesPerGroup = waves;
  launch.vectorRegisters = vectorRegisters;
  launch.ldsBytes = ldsBytes;
  return launch;
}

uint64_t capacityOn(const char* architecture, const Launch& launch) {
  constexpr ComputeUnits kUnits{
      .count = 10, .simds = 4, .wavesPerSimd = 8, .localMemoryBytes = 65536};
  return workgroupCapacity(kUnits, launch, *findArchitecture(architecture));
}

TEST(WorkgroupCapacity, WaveSlotsBoundSmallKernels) {
  EXPECT_EQ(capacityOn("gfx90a", launchOf(1, 32)), 320u);
  EXPECT_EQ(capacityOn("gfx90a", launchOf(4, 32)), 80u);
  EXPECT_EQ(capacityOn("gfx90a", launchOf(16, 32)), 20u);
}

TEST(WorkgroupCapacity, RegistersBoundLargeKernels) {
  EXPECT_EQ(capacityOn("gfx90a", launchOf(4, 64)), 80u);  // 512 registers, 8 waves a SIMD
  EXPECT_EQ(capacityOn("gfx90a", launchOf(4, 65)), 70u);  // 72 are handed out: 7 waves
  EXPECT_EQ(capacityOn("gfx90a", launchOf(4, 256)), 20u); // 2 waves
  EXPECT_EQ(capacityOn("gfx908", launchOf(4, 64)), 40u);  // 256 registers: 4 waves
}

TEST(WorkgroupCapacity, AccumulationRegistersShareTheFileWhereItIsOne) {
  Launch launch = launchOf(4, 64);
  launch.accumulationRegisters = 64;
  EXPECT_EQ(capacityOn("gfx90a", launch), 40u);
  EXPECT_EQ(capacityOn("gfx908", launch), 40u) << "a file of their own";
}

TEST(WorkgroupCapacity, LocalMemoryBoundsKernelsThatUseMuchOfIt) {
  EXPECT_EQ(capacityOn("gfx90a", launchOf(1, 32, 32768)), 20u);
  EXPECT_EQ(capacityOn("gfx90a", launchOf(1, 32, 65536)), 10u);
}

class Bound : public testing::Test {
protected:
  static Residency of(uint32_t residentWaves, uint32_t wavesPerGroup) {
    constexpr ComputeUnits kUnits{.count = 10, .simds = 4, .wavesPerSimd = 8};
    return {{.residentWaves = residentWaves, .units = kUnits},
            launchOf(wavesPerGroup, 32),
            *findArchitecture("gfx90a")};
  }
};

TEST_F(Bound, BeginsAtTheWavesAskedForButHoldsOneGroupAlways) {
  EXPECT_TRUE(of(64, 4).admits(15));
  EXPECT_FALSE(of(64, 4).admits(16));
  EXPECT_TRUE(of(2, 4).admits(0));
  EXPECT_FALSE(of(2, 4).admits(1));
}

TEST_F(Bound, StaysWhileGroupsEnd) {
  Residency residency = of(64, 4);
  for (int i = 0; i < 100; ++i)
    residency.ran(1'000'000, true);
  EXPECT_FALSE(residency.admits(16));
}

TEST_F(Bound, DoublesWhileNoneEndsUpToTheCapacity) {
  Residency residency = of(64, 4);
  for (int i = 0; i < 10; ++i)
    residency.ran(1'000'000, false);
  EXPECT_TRUE(residency.admits(31));
  EXPECT_FALSE(residency.admits(32));
  for (int i = 0; i < 100; ++i)
    residency.ran(1'000'000, false);
  EXPECT_TRUE(residency.admits(79));
  EXPECT_FALSE(residency.admits(80));
  EXPECT_FALSE(residency.grow());
}

} // namespace
} // namespace gpusim::test
