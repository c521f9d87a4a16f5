// How many wave-instructions a second one core interprets, by kind of kernel, and how many a launch
// of the kernel has. The time is CPU time.
#include <benchmark/benchmark.h>

#include "code_object.h"

namespace gpusim::test {
namespace {

constexpr uint64_t kOut = 0x7a0000000000;
constexpr uint64_t kIn = 0x790000000000;
constexpr uint32_t kItems = 1u << 16;
constexpr uint32_t kGroup = 256;

Arguments argumentsOf(const std::string& kernel) {
  Arguments arguments = Arguments().add(kOut);
  if (kernel == "scrambleKernel") {
    arguments.add(kIn).add(kItems);
  } else if (kernel == "reduceKernel") {
    arguments.add(kIn);
  } else if (kernel == "histogramKernel") {
    arguments.add(kOut + 4096).add(kIn);
  } else if (kernel == "copyKernel") {
    arguments.add(kIn).add(uint64_t{kItems});
  }
  return arguments;
}

void interpret(benchmark::State& state, const std::string& kernel) {
  FlatMemory memory;
  CodeObject object(KERNEL_OBJECT, memory);
  memory.map(kOut, 16 * kItems);
  memory.map(kIn, 16 * kItems);
  for (uint32_t item = 0; item < kItems; ++item) {
    memory.write(kIn + 4 * item, item * 2654435761u);
  }
  const auto cache = makeCodeCache("gfx90a");
  const Dispatch dispatch =
      object.dispatch(kernel, {{kItems, 1, 1}, {kGroup, 1, 1}}, argumentsOf(kernel));
  uint64_t instructions = 0;
  for (auto _ : state) {
    const auto execution = startDispatch(dispatch, memory, *cache, Schedule{});
    if (runToEnd(*execution) != KernelExecution::Progress::Finished) {
      state.SkipWithError(execution->fault().message.c_str());
      return;
    }
    instructions += execution->statistics().instructions;
  }
  state.counters["waveInstructions"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
  state.counters["perLaunch"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kAvgIterations);
}

BENCHMARK_CAPTURE(interpret, scramble, "scrambleKernel");
BENCHMARK_CAPTURE(interpret, wide, "wideKernel");
BENCHMARK_CAPTURE(interpret, division, "divisionKernel");
BENCHMARK_CAPTURE(interpret, bits, "bitKernel");
BENCHMARK_CAPTURE(interpret, scratch, "scratchKernel");
BENCHMARK_CAPTURE(interpret, reduce, "reduceKernel");
BENCHMARK_CAPTURE(interpret, histogram, "histogramKernel");
BENCHMARK_CAPTURE(interpret, copy, "copyKernel");

} // namespace
} // namespace gpusim::test

BENCHMARK_MAIN();
