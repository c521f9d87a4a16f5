// Blocks that wait for each other: as many as the device holds are in flight together.
#include "check.h"

#include <hip/hip_cooperative_groups.h>

namespace cg = cooperative_groups;

namespace {

/// Ends only once every block has begun.
__global__ void meet(unsigned* arrived, unsigned* seen) {
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1u);
    while (__hip_atomic_load(arrived, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) < gridDim.x) {
      __builtin_amdgcn_s_sleep(8);
    }
    seen[blockIdx.x] = *arrived;
  }
}

__global__ void meetTwice(unsigned* values, unsigned* wrong) {
  const cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0) {
    values[blockIdx.x] = blockIdx.x + 1;
  }
  grid.sync();
  const unsigned other = (blockIdx.x * 7 + 3) % gridDim.x;
  if (threadIdx.x == 0 && values[other] != other + 1) {
    atomicAdd(wrong, 1u);
  }
  grid.sync();
}

/// An ordinary launch, of more blocks than run at once when none waits.
void checkOrdinaryLaunch() {
  constexpr unsigned kBlocks = 300;
  unsigned* arrived = deviceZeros<unsigned>(1);
  unsigned* seen = deviceZeros<unsigned>(kBlocks);
  meet<<<kBlocks, 64>>>(arrived, seen);
  for (const unsigned count : toHost(seen, kBlocks)) {
    EXPECT(count == kBlocks, "a block saw %u others", count);
  }
}

/// The largest cooperative launch that HIP allows, and one that is too large.
void checkFullDevice() {
  constexpr int kThreads = 256;
  int perUnit = 0;
  HIP_OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&perUnit, meetTwice, kThreads, 0));
  hipDeviceProp_t properties;
  HIP_OK(hipGetDeviceProperties(&properties, 0));
  EXPECT(properties.cooperativeLaunch == 1, "no cooperative launch");
  const int blocks = perUnit * properties.multiProcessorCount;
  EXPECT(blocks * kThreads / 64 > 1000, "%d blocks are no full device", blocks);
  unsigned* values = deviceZeros<unsigned>(static_cast<size_t>(blocks));
  unsigned* wrong = deviceZeros<unsigned>(1);
  void* arguments[] = {&values, &wrong};
  const void* kernel = reinterpret_cast<const void*>(meetTwice);
  HIP_OK(hipLaunchCooperativeKernel(kernel, dim3(blocks), dim3(kThreads), arguments, 0, nullptr));
  EXPECT(toHost(wrong, 1)[0] == 0, "%u blocks read before others had written", toHost(wrong, 1)[0]);
  EXPECT(hipLaunchCooperativeKernel(kernel, dim3(blocks + 1), dim3(kThreads), arguments, 0,
                                    nullptr) == hipErrorCooperativeLaunchTooLarge,
         "a launch of %d blocks was accepted", blocks + 1);
  static_cast<void>(hipGetLastError());
}

} // namespace

int main() {
  checkOrdinaryLaunch();
  checkFullDevice();
}
