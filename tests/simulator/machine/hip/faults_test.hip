// Faults of kernels reach the program as a real GPU reports them; nothing ends as if it were right.

#include "hip_check.h"

namespace {

__global__ void store(unsigned* address) {
  *address = 1;
}

__global__ void trap() {
  __builtin_trap();
}

/// Runs in a child process, which HIP and ROCr end by abort() after a fault.
void storeAndWait(unsigned* address) {
  store<<<1, 1>>>(address);
  static_cast<void>(hipDeviceSynchronize());
}

void trapAndWait() {
  trap<<<1, 1>>>();
  static_cast<void>(hipDeviceSynchronize());
}

} // namespace

TEST(FaultsDeathTest, AStoreToUnmappedMemoryIsAMemoryFault) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(storeAndWait(reinterpret_cast<unsigned*>(0x123456789000)),
               "[Mm]emory access fault by GPU");
}

TEST(FaultsDeathTest, ATrapEndsTheQueueWithAnError) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(trapAndWait(), "HSA_STATUS_ERROR_EXCEPTION");
}
