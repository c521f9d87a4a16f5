// A program that has a kernel compiled by hipRTC beside a kernel of its own.
//
//   rtc [<folder of the drain's headers>]    with the folder, that kernel is measured too
#include "kernels.h"
#include "launch.h"

#include <hip/hiprtc.h>

#include <fstream>
#include <iterator>
#include <string>

namespace {

constexpr char kSource[] = R"(
#ifdef MEASURED
#include "device_coverage/hiprtc.h"
#endif
extern "C" __global__ void compiledAtRunTime(int* values, int count) {
  const int index = threadIdx.x;
  if (index < count)
    values[index] = 7;
}
)";

std::string textOf(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Headers are given to hipRTC as text, as a program without installed headers would.
std::string compile(const char* headers) {
  hiprtcProgram program;
  const char* names[] = {"device_coverage/hiprtc.h", "device_coverage/device_note.h"};
  std::string texts[2];
  for (int i = 0; i < 2 && headers != nullptr; ++i)
    texts[i] = textOf(std::string(headers) + '/' + names[i]);
  const char* contents[] = {texts[0].c_str(), texts[1].c_str()};
  const char* options[] = {"--offload-arch=gfx90a", "-DMEASURED", "-fprofile-instr-generate",
                           "-fcoverage-mapping", "-fprofile-update=atomic"};
  const int optionCount = headers == nullptr ? 1 : 5;
  size_t size = 0;
  std::string code;
  if (hiprtcCreateProgram(&program, kSource, "source.hip", headers == nullptr ? 0 : 2, contents,
                          names) != HIPRTC_SUCCESS ||
      hiprtcCompileProgram(program, optionCount, options) != HIPRTC_SUCCESS ||
      hiprtcGetCodeSize(program, &size) != HIPRTC_SUCCESS)
    return code;
  code.resize(size);
  if (hiprtcGetCode(program, code.data()) != HIPRTC_SUCCESS)
    code.clear();
  hiprtcDestroyProgram(&program);
  return code;
}

int launchCompiled(std::string code) {
  hipModule_t module;
  hipFunction_t function;
  CHECK(hipModuleLoadData(&module, code.data()));
  CHECK(hipModuleGetFunction(&function, module, "compiledAtRunTime"));
  int* values = allocate(64);
  int count = 40;
  void* arguments[] = {&values, &count};
  CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK(hipDeviceSynchronize());
  code.assign(code.size(), '\xdd');
  std::vector<int> results(64);
  CHECK(hipMemcpy(results.data(), values, results.size() * sizeof(int), hipMemcpyDeviceToHost));
  return results[39] == 7 && results[40] == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
  int* values = allocate(37);
  branch<<<1, 37>>>(values, 20);
  CHECK(hipDeviceSynchronize());
  const std::string code = compile(argc > 1 ? argv[1] : nullptr);
  return code.empty() ? 91 : launchCompiled(code);
}
