// Kernels that clang compiled at -O0 to -O3 and for every processor, against the same functions
// compiled for the host.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <set>

#include "code_object.h"
#include "kernels/functions.h"

namespace gpusim::test {
namespace {

constexpr uint64_t kOut = 0x7a0000000000;
constexpr uint64_t kIn = 0x790000000000;

/// A parameter is the path of a code object, whose name ends in `_<processor>_wave<lanes>.co`.
class Kernel : public testing::TestWithParam<const char*> {
protected:
  void SetUp() override {
    const std::string name = std::filesystem::path(GetParam()).stem();
    isRdna_ = name.find("_gfx1") != std::string::npos;
    lanes_ = name.ends_with("_wave32") ? 32 : 64;
    object_ = std::make_unique<CodeObject>(GetParam(), memory_);
    ASSERT_EQ(object_->problem(), "");
    cache_ = makeCodeCache(object_->architecture());
    ASSERT_NE(cache_, nullptr) << object_->architecture();
    memory_.map(kOut, 1u << 20);
    memory_.map(kIn, 1u << 20);
  }

  std::unique_ptr<KernelExecution> start(const std::string& kernel, const LaunchSize& size,
                                         const Arguments& arguments,
                                         const Schedule& schedule = {}) {
    return startDispatch(object_->dispatch(kernel, size, arguments), memory_, *cache_, schedule);
  }
  /// Runs a kernel that has to finish.
  void run(const std::string& kernel, const LaunchSize& size, const Arguments& arguments,
           const Schedule& schedule = {}) {
    const auto execution = start(kernel, size, arguments, schedule);
    ASSERT_EQ(runToEnd(*execution), KernelExecution::Progress::Finished)
        << execution->fault().message;
    statistics_ = execution->statistics();
  }
  /// Runs a kernel with the single argument `out` and compares every element.
  template <class T>
  void expectElements(const std::string& kernel, uint32_t count, T (*function)(Word)) {
    run(kernel, {{count, 1, 1}, {128, 1, 1}}, Arguments().add(kOut));
    for (uint32_t id = 0; id < count; ++id) {
      ASSERT_EQ(memory_.read<T>(kOut + sizeof(T) * id), function(id)) << "work-item " << id;
    }
  }

  FlatMemory memory_;
  std::unique_ptr<CodeObject> object_;
  std::unique_ptr<CodeCache> cache_;
  bool isRdna_ = false;
  uint32_t lanes_ = 64; ///< of a wave
  ExecutionStatistics statistics_;
};

std::string levelOf(const testing::TestParamInfo<const char*>& info) {
  return std::filesystem::path(info.param).stem();
}
INSTANTIATE_TEST_SUITE_P(Compiled, Kernel, testing::Values(KERNEL_OBJECTS), levelOf);

TEST_P(Kernel, PartialLastWorkgroupRunsOnlyItsWorkItems) {
  constexpr uint32_t kCount = 1000;
  for (uint32_t id = 0; id < kCount; ++id) {
    memory_.write(kIn + 4 * id, id * 77777u);
  }
  memory_.write(kOut + 4 * kCount, 0xabcdefu);
  run("scrambleKernel", {{kCount, 1, 1}, {192, 1, 1}},
      Arguments().add(kOut).add(kIn).add(kCount + 100));
  for (uint32_t id = 0; id < kCount; ++id) {
    ASSERT_EQ(memory_.read<uint32_t>(kOut + 4 * id), scramble(id * 77777u)) << id;
  }
  EXPECT_EQ(memory_.read<uint32_t>(kOut + 4 * kCount), 0xabcdefu);
  // Five groups of 192 work-items and one of the last 40.
  EXPECT_EQ(statistics_.waves, lanes_ == 32 ? 5 * 6 + 2u : 5 * 3 + 1u);
}

TEST_P(Kernel, WideArithmeticIsExact) {
  expectElements<Wide>("wideKernel", 2048, wideArithmetic);
}
TEST_P(Kernel, DivisionsAreExact) {
  expectElements<Wide>("divisionKernel", 2048, divisions);
}
TEST_P(Kernel, BitTricksAreExact) {
  expectElements<Word>("bitKernel", 2048, bitTricks);
}
TEST_P(Kernel, PrivateArraysKeepLanesApart) {
  expectElements<Word>("scratchKernel", 2048, scratchArray);
}
TEST_P(Kernel, RecursionKeepsItsFrames) {
  expectElements<Word>("ackermannKernel", 128, [](Word id) { return ackermann(id % 3, id % 5); });
}
TEST_P(Kernel, IndirectCallsReachBothTargets) {
  expectElements<Word>("indirectKernel", 256,
                       [](Word id) { return id % 2 == 0 ? id * 3 : id + 7; });
}

TEST_P(Kernel, ThreeDimensionalGridVisitsEveryWorkItemOnce) {
  constexpr uint32_t kSize[3] = {37, 11, 5};
  run("shapeKernel", {{kSize[0], kSize[1], kSize[2]}, {16, 4, 2}},
      Arguments().add(kOut).add(kSize[0]).add(kSize[1]));
  for (uint32_t z = 0; z < kSize[2]; ++z) {
    for (uint32_t y = 0; y < kSize[1]; ++y) {
      for (uint32_t x = 0; x < kSize[0]; ++x) {
        const uint32_t index = (z * kSize[1] + y) * kSize[0] + x;
        ASSERT_EQ(memory_.read<uint32_t>(kOut + 4 * index), 1 + (x | y << 10 | z << 20)) << index;
      }
    }
  }
}

TEST_P(Kernel, BarriersOrderLdsAccessesUnderEverySchedule) {
  for (uint32_t id = 0; id < 1024; ++id) {
    memory_.write(kIn + 4 * id, scramble(id));
  }
  for (uint64_t seed = 0; seed < 20; ++seed) {
    run("reduceKernel", {{1024, 1, 1}, {256, 1, 1}}, Arguments().add(kOut).add(kIn),
        {seed, 16, {}});
    for (uint32_t group = 0; group < 4; ++group) {
      uint32_t expected = 0;
      for (uint32_t id = 0; id < 256; ++id) {
        expected += scramble(group * 256 + id);
      }
      ASSERT_EQ(memory_.read<uint32_t>(kOut + 4 * group), expected) << "seed " << seed;
    }
  }
}

TEST_P(Kernel, BarrierDoesNotWaitForWavesThatEnded) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    run("leaveKernel", {{256, 1, 1}, {256, 1, 1}}, Arguments().add(kOut), {seed, 16, {}});
    for (uint32_t id = 0; id < 256; ++id) {
      ASSERT_EQ(memory_.read<uint32_t>(kOut + 4 * id), id < 128 ? (127 - id) * 3 : id) << id;
    }
  }
}

TEST_P(Kernel, AtomicsLoseNoUpdate) {
  constexpr uint32_t kCount = 4096;
  std::vector<uint32_t> bins(61);
  uint64_t total = 0;
  for (uint32_t id = 0; id < kCount; ++id) {
    memory_.write(kIn + 4 * id, id);
    ++bins[scramble(id) % 61];
    total += scramble(id);
  }
  run("histogramKernel", {{kCount, 1, 1}, {256, 1, 1}},
      Arguments().add(kOut).add(kOut + 4096).add(kIn));
  for (uint32_t bin = 0; bin < bins.size(); ++bin) {
    EXPECT_EQ(memory_.read<uint32_t>(kOut + 4 * bin), bins[bin]) << bin;
  }
  EXPECT_EQ(memory_.read<uint64_t>(kOut + 4096), total);
  EXPECT_GE(statistics_.atomics, kCount / 64 * 2);
}

TEST_P(Kernel, UnsynchronisedUpdatesAreLostBetweenWaves) {
  run("racyKernel", {{64 * 16, 1, 1}, {64, 1, 1}}, Arguments().add(kOut), {3, 64, {}});
  EXPECT_LT(memory_.read<uint32_t>(kOut), 16 * 200u);
  EXPECT_GE(memory_.read<uint32_t>(kOut), 200u);
}

TEST_P(Kernel, ScheduleDependsOnTheSeedAlone) {
  std::set<uint32_t> results;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    uint32_t first = 0;
    for (unsigned repetition = 0; repetition < 2; ++repetition) {
      memory_.write(kOut, 0u);
      run("racyKernel", {{64 * 16, 1, 1}, {64, 1, 1}}, Arguments().add(kOut), {seed, 64, {}});
      const auto result = memory_.read<uint32_t>(kOut);
      first = repetition == 0 ? result : first;
      EXPECT_EQ(result, first) << "seed " << seed;
    }
    results.insert(first);
  }
  EXPECT_GT(results.size(), 1u);
}

TEST_P(Kernel, WaitingWorkgroupDoesNotStarveTheOthers) {
  constexpr uint32_t kGroups = 16; // as many as there are scratch slots
  run("waitKernel", {{64 * kGroups, 1, 1}, {64, 1, 1}}, Arguments().add(kOut).add(kGroups - 1));
  EXPECT_EQ(memory_.read<uint32_t>(kOut + 4), 1u);
}

TEST_P(Kernel, SpinningOnTheHostReturnsToTheCaller) {
  const auto execution = start("spinKernel", {{64, 1, 1}, {64, 1, 1}}, Arguments().add(kOut));
  for (unsigned turn = 0; turn < 5; ++turn) {
    ASSERT_EQ(execution->run(1000), KernelExecution::Progress::Running);
  }
  memory_.write(kOut, 1u);
  EXPECT_EQ(runToEnd(*execution, 10), KernelExecution::Progress::Finished);
}

TEST_P(Kernel, FlatPointersReachGlobalLdsAndPrivateMemory) {
  for (uint32_t index = 0; index < 8; ++index) {
    memory_.write(kIn + 4 * index, scramble(index));
  }
  run("flatKernel", {{128, 1, 1}, {128, 1, 1}}, Arguments().add(kOut).add(kIn));
  for (uint32_t id = 0; id < 128; ++id) {
    uint32_t expected = 0;
    for (uint32_t index = 0; index < 8; ++index) {
      expected = expected * 33 + scramble(index) + (id % 3 == 0 ? 0 : id % 3 == 1 ? 1 : id);
    }
    ASSERT_EQ(memory_.read<uint32_t>(kOut + 4 * id), expected) << id;
  }
}

TEST_P(Kernel, LanesExchangeValues) {
  run("permuteKernel", {{64, 1, 1}, {64, 1, 1}}, Arguments().add(kOut));
  const auto element = [&](uint32_t block, uint32_t id) {
    return memory_.read<uint32_t>(kOut + 4 * (64 * block + id));
  };
  const uint32_t group = isRdna_ ? 32 : 64; // lanes that permutes reach
  for (uint32_t id = 0; id < 64; ++id) {
    const uint32_t firstOfGroup = id / group * group;
    const uint32_t firstOfWave = id / lanes_ * lanes_;
    EXPECT_EQ(element(0, id), (firstOfGroup + (63 - id) % group) * 3) << id;
    EXPECT_EQ(element(1, firstOfGroup + (id + 5) % group), id) << id;
    EXPECT_EQ(element(2, id), id ^ 1) << id;
    EXPECT_EQ(element(3, id), id - firstOfWave) << id;
    EXPECT_EQ(element(4, id), (firstOfWave + 17) * 5) << id;
    EXPECT_EQ(element(5, id), firstOfWave + 9) << id;
  }
}

TEST_P(Kernel, CopyMovesEveryByte) {
  constexpr uint64_t kQuads = 1000;
  for (uint32_t word = 0; word < 4 * kQuads; ++word) {
    memory_.write(kIn + 4 * word, scramble(word));
  }
  run("copyKernel", {{256, 1, 1}, {256, 1, 1}}, Arguments().add(kOut).add(kIn).add(kQuads));
  EXPECT_EQ(std::memcmp(memory_.host(kOut), memory_.host(kIn), 16 * kQuads), 0);
  EXPECT_EQ(memory_.read<uint32_t>(kOut + 16 * kQuads), 0u);
}

TEST_P(Kernel, TrapIsReportedWithItsId) {
  memory_.write(kIn, 1u);
  const auto execution = start("trapKernel", {{64, 1, 1}, {64, 1, 1}}, Arguments().add(kIn));
  ASSERT_EQ(runToEnd(*execution), KernelExecution::Progress::Faulted);
  EXPECT_EQ(execution->fault().kind, Fault::Kind::Trap);
  EXPECT_EQ(execution->fault().address, 2u);
}

TEST_P(Kernel, UnmappedStoreNamesItsAddress) {
  constexpr uint64_t kNowhere = 0x123456780000;
  const auto execution = start("wideKernel", {{64, 1, 1}, {64, 1, 1}}, Arguments().add(kNowhere));
  ASSERT_EQ(runToEnd(*execution), KernelExecution::Progress::Faulted);
  EXPECT_EQ(execution->fault().kind, Fault::Kind::MemoryViolation);
  // The first lane of whichever wave came first.
  EXPECT_EQ((execution->fault().address - kNowhere) % (sizeof(Wide) * lanes_), 0u);
  EXPECT_LT(execution->fault().address - kNowhere, sizeof(Wide) * 64);
  EXPECT_TRUE(execution->fault().isWrite);
  const std::string& message = execution->fault().message;
  EXPECT_TRUE(message.find("_store_dwordx2") != std::string::npos ||
              message.find("_store_b64") != std::string::npos) // gfx11
      << message;
}

} // namespace
} // namespace gpusim::test
