// Takes the kernel from the code object that COUNTED_CODE_OBJECT names. The buffer it is loaded
// from is overwritten and freed at once: whoever still reads it afterwards reads rubbish.
#include "launch.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

namespace {

hipError_t loadCountedKernel(hipFunction_t& kernel) {
  const char* path = std::getenv("COUNTED_CODE_OBJECT");
  std::ifstream file(path != nullptr ? path : "", std::ios::binary);
  std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  if (bytes.empty())
    return hipErrorFileNotFound;
  hipModule_t module;
  const hipError_t status = hipModuleLoadData(&module, bytes.data());
  std::fill(bytes.begin(), bytes.end(), '\x55');
  return status != hipSuccess ? status : hipModuleGetFunction(&kernel, module, "countedKernel");
}

} // namespace

hipError_t launchCounted(unsigned blocks, unsigned threads, const CountedArguments& arguments) {
  hipFunction_t kernel;
  const hipError_t status = loadCountedKernel(kernel);
  if (status != hipSuccess)
    return status;
  CountedArguments copy = arguments;
  void* parameters[] = {&copy.input, &copy.count, &copy.steps, &copy.total};
  return hipModuleLaunchKernel(kernel, blocks, 1, 1, threads, 1, 1, 0, nullptr, parameters,
                               nullptr);
}
