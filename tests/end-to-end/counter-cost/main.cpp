// counter_cost <code object>: launches each kernel once and prints a sum of its results.
// Exit status: 0 fine, 2 usage, 3 a HIP call failed.
#include "shape.h"

#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

void check(hipError_t status, const char* what) {
  if (status == hipSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", what, hipGetErrorString(status));
  std::exit(3);
}

unsigned sumOfResults(hipModule_t module, const char* name, const std::vector<unsigned>& input) {
  hipFunction_t kernel = nullptr;
  check(hipModuleGetFunction(&kernel, module, name), name);
  const size_t bytes = input.size() * sizeof(unsigned);
  unsigned *from = nullptr, *to = nullptr;
  check(hipMalloc(reinterpret_cast<void**>(&from), bytes), "hipMalloc");
  check(hipMalloc(reinterpret_cast<void**>(&to), bytes), "hipMalloc");
  check(hipMemcpy(from, input.data(), bytes, hipMemcpyHostToDevice), "hipMemcpy");
  check(hipMemcpy(to, input.data(), bytes, hipMemcpyHostToDevice), "hipMemcpy");
  unsigned count = static_cast<unsigned>(input.size()) - 7; // the last wave is a partial one
  void* arguments[] = {&to, &from, &count};
  check(hipModuleLaunchKernel(kernel, kThreads / kBlock, 1, 1, kBlock, 1, 1, 0, nullptr, arguments,
                              nullptr),
        name);
  std::vector<unsigned> output(input.size());
  check(hipMemcpy(output.data(), to, bytes, hipMemcpyDeviceToHost), "hipMemcpy");
  check(hipFree(from), "hipFree");
  check(hipFree(to), "hipFree");
  unsigned sum = 0;
  for (unsigned value : output)
    sum = 31 * sum + value;
  return sum;
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: counter_cost <code object>\n");
    return 2;
  }
  hipModule_t module = nullptr;
  check(hipModuleLoad(&module, argv[1]), argv[1]);
  std::vector<unsigned> input(kThreads);
  for (unsigned i = 0; i < kThreads; ++i)
    input[i] = i;
  for (const char* name : kKernels)
    std::printf("result %s %u\n", name, sumOfResults(module, name, input));
  check(hipModuleUnload(module), "hipModuleUnload");
  return 0;
}
