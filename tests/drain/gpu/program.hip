// A program whose kernels are measured. Each mode is a hazard for whoever collects their counters.
#include "device_coverage.h"
#include "kernels.h"
#include "launch.h"

#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

void launchBranch(int blocks, int threads, int count) {
  int* values = allocate(blocks * threads);
  branch<<<blocks, threads>>>(values, count);
  decide<<<1, static_cast<unsigned>(threads)>>>(values, count);
  CHECK(hipDeviceSynchronize());
  CHECK(hipFree(values));
}

int launch(char** arguments) {
  launchBranch(std::atoi(arguments[0]), std::atoi(arguments[1]), std::atoi(arguments[2]));
  return 0;
}

int onTwoGpus() {
  for (int device = 0; device < 2; ++device) {
    CHECK(hipSetDevice(device));
    launchBranch(1, 64 + device, 100);
  }
  return 0;
}

// Code is loaded on a GPU when it is first asked for, whether it runs or not.
int loadedOnASecondGpu() {
  launchBranch(1, 64, 100);
  hipFuncAttributes attributes;
  CHECK(hipSetDevice(1));
  CHECK(hipFuncGetAttributes(&attributes, reinterpret_cast<const void*>(&branch)));
  return 0;
}

std::vector<char> readFile(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void launchModule(hipModule_t module, int threads) {
  hipFunction_t function;
  CHECK(hipModuleGetFunction(&function, module, "moduleBranch"));
  int* values = allocate(threads);
  int count = threads - 1;
  void* arguments[] = {&values, &count};
  CHECK(hipModuleLaunchKernel(function, 1, 1, 1, static_cast<unsigned>(threads), 1, 1, 0, nullptr,
                              arguments, nullptr));
  CHECK(hipDeviceSynchronize());
  CHECK(hipFree(values));
}

int moduleWhoseBufferIsFreed(const char* path) {
  hipModule_t module;
  {
    std::vector<char> image = readFile(path);
    CHECK(hipModuleLoadData(&module, image.data()));
    launchModule(module, 30);
    std::memset(image.data(), 0xdd, image.size());
  }
  return 0;
}

int moduleUnloadedAndLoadedAgain(const char* path) {
  for (int threads = 10; threads <= 30; threads += 10) {
    hipModule_t module;
    CHECK(hipModuleLoad(&module, path));
    launchModule(module, threads);
    CHECK(hipModuleUnload(module));
  }
  return 0;
}

int pluginThatIsClosed(const char* path) {
  for (int i = 0; i < 2; ++i) {
    void* plugin = dlopen(path, RTLD_NOW);
    if (plugin == nullptr) {
      std::fprintf(stderr, "%s\n", dlerror());
      return 91;
    }
    reinterpret_cast<void (*)()>(dlsym(plugin, "launchPlugin"))();
    dlclose(plugin);
  }
  return 0;
}

int flushThenMore() {
  launchBranch(1, 64, 64);
  if (device_coverage_flush() != DEVICE_COVERAGE_OK)
    return 1;
  launchBranch(1, 10, 5);
  return 0;
}

int phases() {
  launchBranch(1, 64, 64);
  device_coverage_flush();
  if (device_coverage_set_profile_name("phase.profraw") != DEVICE_COVERAGE_OK ||
      device_coverage_reset() != DEVICE_COVERAGE_OK)
    return 1;
  launchBranch(1, 10, 5);
  return 0;
}

int waitFor(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 92;
}

int childOnly(bool underscoreExit) {
  const pid_t child = fork();
  if (child != 0)
    return waitFor(child);
  launchBranch(1, 33, 20);
  if (!underscoreExit)
    std::exit(0);
  _exit(device_coverage_flush());
}

int childOfAProcessThatUsedHip() {
  launchBranch(1, 33, 20);
  const pid_t child = fork();
  if (child == 0)
    _exit(device_coverage_flush() == DEVICE_COVERAGE_INACTIVE ? 0
                                                              : 1); // HIP itself cannot exit here
  return waitFor(child);
}

int stillRunning() {
  hipStream_t stream;
  CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  int* values = allocate(64);
  work<<<2, 64, 0, stream>>>(values, 3000);
  return 0;
}

int* endKernel = nullptr;

// Registered before HIP starts HSA, so it runs after the drain at exit gave up waiting.
void letKernelEnd() {
  *endKernel = 1;
  usleep(500'000);
}

int neverEnding() {
  std::atexit(letKernelEnd);
  hipStream_t stream;
  CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  CHECK(hipHostMalloc(reinterpret_cast<void**>(&endKernel), sizeof *endKernel,
                      hipHostMallocCoherent));
  *endKernel = 0;
  launchBranch(1, 37, 20);
  waitForHost<<<1, 3, 0, stream>>>(endKernel);
  return 0;
}

// HIP before 6 ends the process; later ones give it the error, and no queue of the GPU runs again.
int memoryFault() {
  launchBranch(1, 37, 20);
  device_coverage_flush();
  branch<<<1, 64>>>(reinterpret_cast<int*>(0x123456789000), 10);
  return hipDeviceSynchronize() == hipSuccess ? 1 : 0;
}

int flushFromThreads() {
  launchBranch(1, 64, 64);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([] { device_coverage_flush(); });
  for (std::thread& thread : threads)
    thread.join();
  return 0;
}

int deviceReset() {
  launchBranch(1, 64, 64);
  CHECK(hipDeviceReset());
  return 0;
}

struct LaunchesWhenDestroyed {
  ~LaunchesWhenDestroyed() { launchBranch(1, 7, 0); }
};

// Made before HIP starts HSA and after HIP registered the program's kernels, so destroyed after the
// drain at exit and before HIP lets go of the kernels: the last moment at which a program can
// launch.
int staticDestructor() {
  static LaunchesWhenDestroyed launchesWhenDestroyed;
  launchBranch(1, 64, 64);
  return 0;
}

// As HSA behaves when another tool has registered with it.
int withoutTools() {
  unsetenv("HSA_TOOLS_LIB");
  launchBranch(1, 37, 20);
  return 0;
}

int noGpu() {
  int count = 0;
  return hipGetDeviceCount(&count) != hipSuccess || count == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "launch")
    return launch(argv + 2);
  if (mode == "two-gpus")
    return onTwoGpus();
  if (mode == "loaded-on-second")
    return loadedOnASecondGpu();
  if (mode == "module-buffer-freed")
    return moduleWhoseBufferIsFreed(argv[2]);
  if (mode == "module-unloaded")
    return moduleUnloadedAndLoadedAgain(argv[2]);
  if (mode == "plugin-closed")
    return pluginThatIsClosed(argv[2]);
  if (mode == "flush-then-more")
    return flushThenMore();
  if (mode == "phases")
    return phases();
  if (mode == "child")
    return childOnly(false);
  if (mode == "child-_exit")
    return childOnly(true);
  if (mode == "child-after-hip")
    return childOfAProcessThatUsedHip();
  if (mode == "still-running")
    return stillRunning();
  if (mode == "never-ending")
    return neverEnding();
  if (mode == "memory-fault")
    return memoryFault();
  if (mode == "flush-from-threads")
    return flushFromThreads();
  if (mode == "device-reset")
    return deviceReset();
  if (mode == "static-destructor")
    return staticDestructor();
  if (mode == "without-tools")
    return withoutTools();
  if (mode == "no-gpu")
    return noGpu();
  return 2;
}
