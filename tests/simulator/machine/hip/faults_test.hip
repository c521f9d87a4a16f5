// Faults of kernels reach the program as a real GPU reports them; nothing ends as if it were right.

#include <sys/mman.h>
#include <unistd.h>

#include "hip_check.h"

namespace {

__global__ void store(unsigned* address) {
  *address = 1;
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

__global__ void storeWhenTold(volatile unsigned* told, volatile unsigned* memory) {
  memory[0] = 1;
  told[1] = 1;
  while (told[0] == 0) {
  }
  memory[1] = 2;
}

unsigned* unmappedAddress() {
  return reinterpret_cast<unsigned*>(0x123456789000);
}

__global__ void callIfThereIs(void (**function)()) {
  if (function != nullptr)
    (*function)();
}

/// These run in child processes, which HIP and ROCr end by abort() after a fault.
template <typename Kernel, typename... Arguments>
void launchAndWait(Kernel kernel, unsigned localBytes, Arguments... arguments) {
  kernel<<<1, 1, localBytes>>>(arguments...);
  static_cast<void>(hipDeviceSynchronize());
}

void overrun() {
  DeviceArray<unsigned> out(64);
  launchAndWait(overrunLocalMemory, 512, 10'000u, out.get());
}

void addUnaligned() {
  DeviceArray<unsigned char> bytes(64);
  launchAndWait(addAt, 0, bytes.get());
}

constexpr size_t kRegisteredBytes = 1 << 20;

/// The program takes away memory that a kernel uses; `file` is -1 for memory without.
template <typename TakeAway>
void takeAwayUnderKernel(int file, TakeAway takeAway) {
  const int flags = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
  void* memory = mmap(nullptr, kRegisteredBytes, PROT_READ | PROT_WRITE, flags, file, 0);
  unsigned* device = nullptr;
  unsigned* told = nullptr;
  HIP_OK(hipHostRegister(memory, kRegisteredBytes, hipHostRegisterDefault));
  HIP_OK(hipHostGetDevicePointer(reinterpret_cast<void**>(&device), memory, 0));
  HIP_OK(hipHostMalloc(&told, 2 * sizeof(unsigned)));
  told[0] = told[1] = 0;
  storeWhenTold<<<1, 1>>>(told, device);
  while (__atomic_load_n(&told[1], __ATOMIC_ACQUIRE) == 0) {
  }
  takeAway(memory);
  __atomic_store_n(&told[0], 1u, __ATOMIC_RELEASE);
  static_cast<void>(hipDeviceSynchronize());
}

void unmapUnderKernel() {
  takeAwayUnderKernel(-1, [](void* memory) { munmap(memory, kRegisteredBytes); });
}

void cutFileUnderKernel() {
  const int file = memfd_create("registered", 0);
  static_cast<void>(ftruncate(file, kRegisteredBytes));
  takeAwayUnderKernel(file, [file](void*) { static_cast<void>(ftruncate(file, 0)); });
}

/// HIP has a handler called when the event comes, so two threads wait for one signal.
void waitForAnEvent() {
  hipStream_t stream = nullptr;
  hipEvent_t before = nullptr;
  hipEvent_t after = nullptr;
  HIP_OK(hipStreamCreate(&stream));
  HIP_OK(hipEventCreate(&before));
  HIP_OK(hipEventCreate(&after));
  HIP_OK(hipEventRecord(before, stream));
  store<<<1, 1, 0, stream>>>(unmappedAddress());
  HIP_OK(hipEventRecord(after, stream));
  static_cast<void>(hipEventSynchronize(after));
}

/// The program itself polls.
void askForTheState() {
  store<<<1, 1>>>(unmappedAddress());
  while (hipStreamQuery(nullptr) == hipErrorNotReady) {
  }
}

class FaultsDeathTest : public testing::Test {
protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

} // namespace

TEST_F(FaultsDeathTest, AStoreToUnmappedMemoryIsAMemoryFault) {
  EXPECT_DEATH(launchAndWait(store, 0, unmappedAddress()), "[Mm]emory access fault by GPU");
}

TEST_F(FaultsDeathTest, AMemoryFaultIsNoticedWhileTheProgramWaitsForAnEvent) {
  EXPECT_DEATH(waitForAnEvent(), "[Mm]emory access fault by GPU");
}

TEST_F(FaultsDeathTest, AMemoryFaultIsNoticedWhileTheProgramPolls) {
  EXPECT_DEATH(askForTheState(), "[Mm]emory access fault by GPU");
}

TEST_F(FaultsDeathTest, AMemoryFaultThatTheRuntimeDoesNotLookForEndsTheProcess) {
  EXPECT_EXIT(
      {
        setenv("HSA_ENABLE_INTERRUPT", "0", 1); // ROCr then looks for no faults
        launchAndWait(store, 0, unmappedAddress());
      },
      testing::KilledBySignal(SIGABRT), "has not taken up the memory fault for 5 s");
}

TEST_F(FaultsDeathTest, ATrapEndsTheQueueWithAnError) {
  EXPECT_DEATH(launchAndWait(trap, 0), "HSA_STATUS_ERROR_EXCEPTION");
}

TEST_F(FaultsDeathTest, AFaultNamesKernelAddressAndInstruction) {
  EXPECT_DEATH(launchAndWait(trap, 0), "kernel `[^`]*trap[^`]*`, pc 0x[0-9a-f]+: `s_trap ");
}

TEST_F(FaultsDeathTest, BytesThatAreNoInstructionAreReportedAsSuch) {
  EXPECT_DEATH(launchAndWait(runNoInstruction, 0), "HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION");
}

TEST_F(FaultsDeathTest, AnOverrunOfLocalMemoryIsAnApertureViolation) {
  EXPECT_DEATH(overrun(), "HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION");
}

TEST_F(FaultsDeathTest, AnOverrunOfLocalMemoryIsDiscardedOnRequest) {
  setenv("AMDGPU_SIMULATOR_LOCAL_MEMORY_OVERRUN", "discard", 1); // the child's simulator reads it
  EXPECT_EXIT(
      {
        overrun();
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
  unsetenv("AMDGPU_SIMULATOR_LOCAL_MEMORY_OVERRUN");
}

TEST_F(FaultsDeathTest, AnAtomicAtAnUnalignedAddressIsAnApertureViolation) {
  EXPECT_DEATH(addUnaligned(), "HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION");
}

TEST_F(FaultsDeathTest, RegisteredMemoryThatIsUnmappedUnderAKernelIsAMemoryFault) {
  EXPECT_DEATH(unmapUnderKernel(), "but the program has unmapped it(.|\n)*"
                                   "[Mm]emory access fault by GPU.*Page not present");
}

TEST_F(FaultsDeathTest, ARegisteredFileThatIsCutUnderAKernelIsAMemoryFault) {
  EXPECT_DEATH(cutFileUnderKernel(), "but there is no page for it(.|\n)*"
                                     "[Mm]emory access fault by GPU.*Page not present");
}

TEST_F(FaultsDeathTest, AProgramsOwnCrashStaysItsOwn) {
  DeviceArray<unsigned> used(1); // the simulator's queues and handlers are there
  EXPECT_EXIT(*reinterpret_cast<volatile int*>(16) = 1, testing::KilledBySignal(SIGSEGV), "");
}

/// An indirect call is enough for HIP 5.2.3.
TEST_F(FaultsDeathTest, ACrashOfHipBehindAKernelItCannotLaunchNamesKernelAndReason) {
  EXPECT_EXIT(launchAndWait(callIfThereIs, 0, nullptr), testing::KilledBySignal(SIGSEGV),
              "amdgpu-simulator: libamdhip64.*callIfThereIs.*hidden_completion_action");
}
