// Kernels that fail: the program sees an error or ends by abort(), as on a real GPU. It never goes
// on as if nothing had happened, and it never waits for ever.
//
// Without an argument it runs itself once for each kind of fault; the argument is the kind.
#include <cstring>

#include <csignal>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

namespace {

constexpr int kErrorWasSeen = 3;
constexpr unsigned kPatience = 60; // seconds, far more than any kind takes

__global__ void store(unsigned* address) {
  *address = 1;
}

__global__ void load(const unsigned* address, unsigned* out) {
  *out = *address;
}

__global__ void trap() {
  __builtin_trap();
}

__global__ void runNoInstruction() {
  asm volatile(".long 0xffffffff");
}

__global__ void overrunLocalMemory(unsigned offset, unsigned* out) {
  extern __shared__ unsigned local[];
  local[threadIdx.x + offset] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = local[threadIdx.x];
}

__global__ void addAt(unsigned char* bytes) {
  __hip_atomic_fetch_add(reinterpret_cast<unsigned*>(bytes + 1), 1u, __ATOMIC_RELAXED,
                         __HIP_MEMORY_SCOPE_AGENT);
}

unsigned* unmapped() {
  return reinterpret_cast<unsigned*>(0x123456789000);
}

hipError_t storeToUnmappedMemory() {
  store<<<1, 1>>>(unmapped());
  return hipDeviceSynchronize();
}

hipError_t loadFromUnmappedMemory() {
  load<<<1, 1>>>(unmapped(), deviceZeros<unsigned>(1));
  return hipDeviceSynchronize();
}

hipError_t useFreedMemory() {
  constexpr size_t kBytes = size_t{64} << 20; // more than HIP keeps for later
  unsigned* memory = nullptr;
  store<<<1, 1>>>(deviceZeros<unsigned>(1)); // what a first launch allocates could lie there otherwise
  HIP_OK(hipDeviceSynchronize());
  HIP_OK(hipMalloc(&memory, kBytes));
  HIP_OK(hipFree(memory));
  store<<<1, 1>>>(memory);
  return hipDeviceSynchronize();
}

hipError_t waitForAnEvent() {
  hipEvent_t before = nullptr;
  hipEvent_t after = nullptr;
  HIP_OK(hipEventCreate(&before));
  HIP_OK(hipEventCreate(&after));
  HIP_OK(hipEventRecord(before));
  store<<<1, 1>>>(unmapped());
  HIP_OK(hipEventRecord(after));
  return hipEventSynchronize(after);
}

hipError_t askForTheState() {
  hipError_t state = hipErrorNotReady;
  store<<<1, 1>>>(unmapped());
  while (state == hipErrorNotReady)
    state = hipStreamQuery(nullptr);
  return state;
}

hipError_t copyBehindTheFault() {
  unsigned* memory = deviceZeros<unsigned>(1);
  unsigned host = 0;
  store<<<1, 1>>>(unmapped());
  return hipMemcpy(&host, memory, sizeof(host), hipMemcpyDeviceToHost);
}

hipError_t runIntoATrap() {
  trap<<<1, 1>>>();
  return hipDeviceSynchronize();
}

hipError_t runIntoNoInstruction() {
  runNoInstruction<<<1, 1>>>();
  return hipDeviceSynchronize();
}

hipError_t writeBeyondLocalMemory() {
  overrunLocalMemory<<<1, 1, 512>>>(10'000, deviceZeros<unsigned>(64));
  return hipDeviceSynchronize();
}

hipError_t addAtAnUnalignedAddress() {
  addAt<<<1, 1>>>(deviceZeros<unsigned char>(64));
  return hipDeviceSynchronize();
}

struct Kind {
  const char* name;
  hipError_t (*run)();
};

constexpr Kind kKinds[] = {
    {"store to unmapped memory", storeToUnmappedMemory},
    {"load from unmapped memory", loadFromUnmappedMemory},
    {"freed memory", useFreedMemory},
    {"wait for an event", waitForAnEvent},
    {"poll", askForTheState},
    {"copy behind the fault", copyBehindTheFault},
    {"trap", runIntoATrap},
    {"no instruction", runIntoNoInstruction},
    {"overrun of local memory", writeBeyondLocalMemory},
    {"unaligned atomic", addAtAnUnalignedAddress},
};

/// In the child: HIP either aborts or returns an error.
int fail(const Kind& kind) {
  alarm(kPatience);
  const hipError_t result = kind.run();
  std::printf("%s: HIP returned `%s`\n", kind.name, hipGetErrorString(result));
  return result == hipSuccess ? 0 : kErrorWasSeen;
}

/// Runs the kind in a process of its own.
void expectFailure(const Kind& kind, const char* program) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    execl("/proc/self/exe", program, kind.name, nullptr);
    _exit(127);
  }
  int status = 0;
  EXPECT(waitpid(child, &status, 0) == child, "%s", kind.name);
  const bool aborted = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
  const bool returned = WIFEXITED(status) && WEXITSTATUS(status) == kErrorWasSeen;
  EXPECT(aborted || returned, "%s: status %d", kind.name, status);
  std::printf("%s: %s\n", kind.name, aborted ? "aborted" : "error seen");
}

} // namespace

int main(int argc, char** argv) {
  for (const Kind& kind : kKinds) {
    if (argc == 1)
      expectFailure(kind, argv[0]);
    else if (std::strcmp(argv[1], kind.name) == 0)
      return fail(kind);
  }
}
