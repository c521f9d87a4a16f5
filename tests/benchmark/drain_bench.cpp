// What a drain costs against the number of code objects, functions and GPUs, beside a plain drain
// that copies each section of each loaded code object and writes a file for each. Both run on an
// HSA runtime made of host memory, where a copy costs next to nothing: on a GPU each one costs tens
// of microseconds more. Counts are asserted; times are printed.
#include "drain_elf.h"

#include "drain.h"
#include "fake_hsa.h"
#include "test_files.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <gtest/gtest.h>

using namespace device_coverage;

namespace {

struct Shape {
  size_t codeObjects;
  size_t functions; // of each code object
  size_t gpus;

  size_t loads() const { return codeObjects * gpus; }
  size_t counterBytes() const { return functions * kCountersEach * sizeof(uint64_t); }
};

struct Cost {
  size_t copies = 0;
  size_t bytes = 0; // copied from GPUs
  size_t files = 0;
  double milliseconds = 0; // of CPU time
};

// CPU time, so that other work on the machine does not count.
template <class Work>
double millisecondsOf(const Work& work) {
  const std::clock_t start = std::clock();
  work();
  return 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

Drain* current = nullptr;

class DrainBench : public testing::TestWithParam<Shape> {
protected:
  DrainBench() {
    setenv("DEVICE_COVERAGE_SAVE_CODE_OBJECTS", "0", 1);
    setenv("LLVM_PROFILE_FILE", (scratch.path() / "bench.profraw").c_str(), 1);
    current = createForever<Drain>();
    const HsaRuntime::Hooks hooks = {
        [] { return current->shutDown(); }, nullptr,
        [](HsaExecutable executable, const char* options) {
          return current->freeze(executable, options);
        },
        [](HsaExecutable executable) { return current->destroy(executable); }};
    EXPECT_TRUE(current->attach(hsa.table(), hooks));
    for (size_t i = 0; i < shape.codeObjects; ++i)
      elfs.push_back(makeInstrumentedElf(shape.functions, i));
    registration = millisecondsOf([&] {
      for (const std::vector<uint8_t>& elf : elfs)
        for (size_t gpu = 0; gpu < shape.gpus; ++gpu)
          executables.push_back(hsa.load(elf, FakeHsa::kFirstGpu + gpu));
    });
    for (const uint64_t executable : executables)
      hsa.count(executable, 0);
  }
  ~DrainBench() override {
    unsetenv("LLVM_PROFILE_FILE");
    unsetenv("DEVICE_COVERAGE_SAVE_CODE_OBJECTS");
  }

  Cost drain() {
    Cost cost;
    cost.milliseconds = millisecondsOf([] { EXPECT_EQ(current->flush(), DEVICE_COVERAGE_OK); });
    device_coverage_status_t status = {};
    status.size = sizeof status;
    current->status(&status);
    cost.copies = hsa.copies();
    cost.bytes = status.bytes_copied;
    cost.files = scratch.files().size();
    return cost;
  }

  Cost drainPlainly() {
    Cost cost;
    const size_t before = hsa.copies();
    cost.milliseconds = millisecondsOf([&] {
      for (const uint64_t executable : executables)
        writePlainly(executable, cost);
    });
    cost.copies = hsa.copies() - before;
    return cost;
  }

  const Shape shape = GetParam();
  const ScratchFolder scratch;
  FakeHsa hsa;
  std::vector<std::vector<uint8_t>> elfs;
  std::vector<uint64_t> executables;
  double registration = 0;

private:
  void writePlainly(uint64_t executable, Cost& cost) {
    const auto copy =
        reinterpret_cast<HsaMemoryCopy>(hsa.table()->core->functions[kHsaSlotMemoryCopy]);
    std::vector<uint8_t> file;
    for (const char* name : {"__llvm_prf_data", "__llvm_prf_cnts", "__llvm_prf_names"}) {
      const size_t at = file.size();
      file.resize(at + hsa.sectionSize(executable, name));
      EXPECT_EQ(copy(file.data() + at, hsa.section(executable, name), file.size() - at),
                kHsaSuccess);
    }
    cost.bytes += file.size();
    writeFile(scratch.path() / ("plain." + std::to_string(cost.files++)), file.data(), file.size());
  }
};

void print(const char* drain, const Shape& shape, const Cost& cost) {
  std::printf("%-6s %5zu code objects x %5zu functions x %zu GPUs: %6zu copies %10zu bytes %5zu "
              "files %8.2f ms\n",
              drain, shape.codeObjects, shape.functions, shape.gpus, cost.copies, cost.bytes,
              cost.files, cost.milliseconds);
}

TEST_P(DrainBench, copiesEachLoadedCodeObjectOnceAndWritesOneFile) {
  const Cost ours = drain();
  const Cost plain = drainPlainly();
  print("drain", shape, ours);
  print("plain", shape, plain);
  std::printf("       registered while loading in %.2f ms\n", registration);
  EXPECT_EQ(ours.copies, shape.loads());
  EXPECT_EQ(ours.files, 1u);
  EXPECT_GE(ours.bytes, shape.loads() * shape.counterBytes());
  EXPECT_LT(ours.bytes, plain.bytes);
  EXPECT_EQ(plain.copies, 3 * shape.loads());
}

TEST_P(DrainBench, aSecondDrainCopiesAsMuchAndNoMore) {
  const Cost first = drain();
  const Cost second = drain();
  EXPECT_EQ(second.copies, 2 * first.copies);
  EXPECT_EQ(second.bytes, 2 * first.bytes);
  EXPECT_EQ(second.files, 1u);
}

INSTANTIATE_TEST_SUITE_P(CodeObjects, DrainBench,
                         testing::Values(Shape{1, 100, 1}, Shape{10, 100, 1}, Shape{100, 100, 1},
                                         Shape{1000, 100, 1}));
INSTANTIATE_TEST_SUITE_P(Functions, DrainBench,
                         testing::Values(Shape{1, 1000, 1}, Shape{1, 10000, 1},
                                         Shape{1, 10000, 8}));
INSTANTIATE_TEST_SUITE_P(Gpus, DrainBench,
                         testing::Values(Shape{10, 1000, 1}, Shape{10, 1000, 2}, Shape{10, 1000, 4},
                                         Shape{10, 1000, 8}));

} // namespace
