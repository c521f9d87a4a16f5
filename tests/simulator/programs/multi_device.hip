// One cooperative launch over all GPUs: blocks of one wait for blocks of the others.
#include "check.h"

#include <hip/hip_cooperative_groups.h>

namespace cg = cooperative_groups;

namespace {

/// Each block writes its number, then reads that of the block behind it among those of all GPUs.
__global__ void exchange(unsigned* numbers, unsigned* next) {
  cg::multi_grid_group all = cg::this_multi_grid();
  const unsigned blocks = gridDim.x * all.num_grids();
  const unsigned mine = all.grid_rank() * gridDim.x + blockIdx.x;
  for (unsigned round = 1; round <= 3; ++round) {
    if (threadIdx.x == 0) {
      __hip_atomic_store(numbers + mine, round * 1000 + mine, __ATOMIC_RELEASE,
                         __HIP_MEMORY_SCOPE_SYSTEM);
    }
    all.sync();
    if (threadIdx.x == 0) {
      next[(round - 1) * blocks + mine] = __hip_atomic_load(
          numbers + (mine + 1) % blocks, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM);
    }
    all.sync();
  }
}

} // namespace

int main() {
  constexpr unsigned kBlocks = 6, kRounds = 3;
  int devices = 0;
  HIP_OK(hipGetDeviceCount(&devices));
  EXPECT(devices == 2, "%d devices", devices);
  const unsigned blocks = kBlocks * static_cast<unsigned>(devices);
  unsigned *numbers = nullptr, *next = nullptr;
  HIP_OK(hipHostMalloc(reinterpret_cast<void**>(&numbers), blocks * sizeof(unsigned),
                       hipHostMallocPortable));
  HIP_OK(hipHostMalloc(reinterpret_cast<void**>(&next), kRounds * blocks * sizeof(unsigned),
                       hipHostMallocPortable));
  std::vector<hipLaunchParams> launches(static_cast<size_t>(devices));
  void* arguments[] = {&numbers, &next};
  for (int device = 0; device < devices; ++device) {
    HIP_OK(hipSetDevice(device));
    hipDeviceProp_t properties;
    HIP_OK(hipGetDeviceProperties(&properties, device));
    EXPECT(properties.cooperativeMultiDeviceLaunch == 1, "device %d cannot", device);
    hipLaunchParams& launch = launches[static_cast<size_t>(device)];
    launch = {};
    launch.func = reinterpret_cast<void*>(exchange);
    launch.gridDim = dim3(kBlocks);
    launch.blockDim = dim3(128);
    launch.args = arguments;
    HIP_OK(hipStreamCreate(&launch.stream));
  }
  HIP_OK(hipLaunchCooperativeKernelMultiDevice(launches.data(), devices, 0));
  for (const hipLaunchParams& launch : launches) {
    HIP_OK(hipStreamSynchronize(launch.stream));
  }
  for (unsigned i = 0; i < kRounds * blocks; ++i) {
    const unsigned expected = (i / blocks + 1) * 1000 + (i + 1) % blocks;
    EXPECT(next[i] == expected, "block %u read %u in round %u", i % blocks, next[i], i / blocks);
  }
}
