// A program that has a kernel compiled by hipRTC beside a kernel of its own.
#include "kernels.h"
#include "launch.h"

#include <hip/hiprtc.h>

#include <string>

namespace {

constexpr char kSource[] = R"(
extern "C" __global__ void compiledAtRunTime(int* values, int count) {
  const int index = threadIdx.x;
  if (index < count)
    values[index] = 7;
}
)";

std::string compile() {
  hiprtcProgram program;
  const char* options[] = {"--offload-arch=gfx90a"};
  size_t size = 0;
  std::string code;
  if (hiprtcCreateProgram(&program, kSource, "source.hip", 0, nullptr, nullptr) != HIPRTC_SUCCESS ||
      hiprtcCompileProgram(program, 1, options) != HIPRTC_SUCCESS ||
      hiprtcGetCodeSize(program, &size) != HIPRTC_SUCCESS)
    return code;
  code.resize(size);
  if (hiprtcGetCode(program, code.data()) != HIPRTC_SUCCESS)
    code.clear();
  hiprtcDestroyProgram(&program);
  return code;
}

int launchCompiled(const std::string& code) {
  hipModule_t module;
  hipFunction_t function;
  CHECK(hipModuleLoadData(&module, code.data()));
  CHECK(hipModuleGetFunction(&function, module, "compiledAtRunTime"));
  int* values = allocate(64);
  int count = 40;
  void* arguments[] = {&values, &count};
  CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  std::vector<int> results(64);
  CHECK(hipMemcpy(results.data(), values, results.size() * sizeof(int), hipMemcpyDeviceToHost));
  return results[39] == 7 && results[40] == 0 ? 0 : 1;
}

} // namespace

int main() {
  int* values = allocate(37);
  branch<<<1, 37>>>(values, 20);
  CHECK(hipDeviceSynchronize());
  const std::string code = compile();
  return code.empty() ? 91 : launchCompiled(code);
}
