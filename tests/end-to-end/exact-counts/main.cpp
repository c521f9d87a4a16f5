// Runs countedKernel on the first DEVICES GPUs and checks its results.
//
//   exact_counts DEVICES BLOCKS THREADS COUNT
//
// Exit status: 0 fine, 1 wrong results, 2 usage, 3 a HIP call failed (also: too few devices).
#include "input.h"
#include "launch.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define TRY_HIP(call)                                                                              \
  do {                                                                                             \
    const hipError_t status = (call);                                                              \
    if (status != hipSuccess) {                                                                    \
      std::fprintf(stderr, "%s: %s\n", #call, hipGetErrorString(status));                          \
      std::exit(3);                                                                                \
    }                                                                                              \
  } while (false)

namespace {

unsigned stepsOnHost(unsigned value) {
  unsigned steps = 0;
  for (; value != 1 && steps < kStepLimit; ++steps)
    value = value % 2 == 0 ? value / 2 : 3 * value + 1;
  return steps;
}

bool runOnDevice(int device, unsigned blocks, unsigned threads,
                 const std::vector<unsigned>& input) {
  TRY_HIP(hipSetDevice(device));
  const size_t bytes = input.size() * sizeof(unsigned);
  CountedArguments arguments{};
  unsigned* deviceInput = nullptr;
  TRY_HIP(hipMalloc(reinterpret_cast<void**>(&deviceInput), bytes + sizeof(unsigned)));
  TRY_HIP(hipMalloc(reinterpret_cast<void**>(&arguments.steps), bytes + sizeof(unsigned)));
  TRY_HIP(hipMalloc(reinterpret_cast<void**>(&arguments.total), sizeof(unsigned)));
  TRY_HIP(hipMemcpy(deviceInput, input.data(), bytes, hipMemcpyHostToDevice));
  TRY_HIP(hipMemset(arguments.total, 0, sizeof(unsigned)));
  arguments.input = deviceInput;
  arguments.count = static_cast<unsigned>(input.size());
  TRY_HIP(launchCounted(blocks, threads, arguments));
  std::vector<unsigned> steps(input.size());
  unsigned total = 0;
  TRY_HIP(hipMemcpy(steps.data(), arguments.steps, bytes, hipMemcpyDeviceToHost));
  TRY_HIP(hipMemcpy(&total, arguments.total, sizeof(unsigned), hipMemcpyDeviceToHost));

  unsigned expectedTotal = 0;
  bool right = true;
  const size_t reached = std::min<size_t>(input.size(), size_t{blocks} * threads);
  for (size_t i = 0; i < reached; ++i) {
    right = right && steps[i] == stepsOnHost(input[i]);
    expectedTotal += std::min(stepsOnHost(input[i]), 2u);
  }
  if (!right || total != expectedTotal)
    std::fprintf(stderr, "device %d: wrong results, total %u, expected %u\n", device, total,
                 expectedTotal);
  return right && total == expectedTotal;
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: %s DEVICES BLOCKS THREADS COUNT\n", argv[0]);
    return 2;
  }
  const unsigned blocks = static_cast<unsigned>(std::atoi(argv[2]));
  const unsigned threads = static_cast<unsigned>(std::atoi(argv[3]));
  const std::vector<unsigned> input = countedInput(static_cast<unsigned>(std::atoi(argv[4])));
  bool right = true;
  for (int device = 0; device < std::atoi(argv[1]); ++device)
    right = runOnDevice(device, blocks, threads, input) && right;
  return right ? 0 : 1;
}
