// Cooperative groups: blocks, tiles, coalesced lanes, and a grid that synchronises.
#include "check.h"

#include <hip/hip_cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ int sumOf(cg::thread_group group, int* scratch, int value) {
  const int rank = group.thread_rank();
  for (int step = group.size() / 2; step > 0; step /= 2) {
    scratch[rank] = value;
    group.sync();
    if (rank < step) {
      value += scratch[rank + step];
    }
    group.sync();
  }
  return value;
}

__global__ void groups(int* out) {
  __shared__ int scratch[256];
  const cg::thread_block block = cg::this_thread_block();
  const int total = sumOf(block, scratch, static_cast<int>(block.thread_rank()));
  const cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  int value = static_cast<int>(block.thread_rank());
  for (int step = 8; step > 0; step /= 2) {
    value += tile.shfl_down(value, step);
  }
  if (block.thread_rank() == 0) {
    out[0] = total;
  }
  if (tile.thread_rank() == 0) {
    out[1 + block.thread_rank() / 16] = value;
  }
  if (threadIdx.x % 3 == 0) {
    const cg::coalesced_group active = cg::coalesced_threads();
    if (threadIdx.x == 0) {
      out[17] = static_cast<int>(active.size());
    }
  }
}

/// Every block reads what all blocks wrote before the barrier.
__global__ void wholeGrid(int* values, int* sums) {
  const cg::grid_group grid = cg::this_grid();
  for (int round = 1; round <= 3; ++round) {
    if (threadIdx.x == 0) {
      values[blockIdx.x] = round * (static_cast<int>(blockIdx.x) + 1);
    }
    grid.sync();
    int sum = 0;
    for (unsigned block = 0; block < gridDim.x; ++block) {
      sum += static_cast<volatile int*>(values)[block];
    }
    if (threadIdx.x == 0) {
      sums[(round - 1) * gridDim.x + blockIdx.x] = sum;
    }
    grid.sync();
  }
}

int main() {
  int* out = deviceZeros<int>(18);
  groups<<<1, 256>>>(out);
  const auto result = toHost(out, 18);
  EXPECT(result[0] == 255 * 128, "sum of a block is %d", result[0]);
  for (int tile = 0; tile < 16; ++tile) {
    EXPECT(result[1 + tile] == tile * 256 + 120, "sum of tile %d is %d", tile, result[1 + tile]);
  }
  hipDeviceProp_t properties;
  HIP_OK(hipGetDeviceProperties(&properties, 0));
  const int thirds = (properties.warpSize + 2) / 3; // the lanes of a wave divisible by 3
  EXPECT(result[17] == thirds, "%d coalesced lanes", result[17]);

  constexpr int kBlocks = 8;
  int* values = deviceZeros<int>(kBlocks);
  int* sums = deviceZeros<int>(3 * kBlocks);
  void* arguments[] = {&values, &sums};
  HIP_OK(hipLaunchCooperativeKernel(reinterpret_cast<const void*>(wholeGrid), dim3(kBlocks),
                                    dim3(128), arguments, 0, nullptr));
  const auto grid = toHost(sums, 3 * kBlocks);
  for (int i = 0; i < 3 * kBlocks; ++i) {
    EXPECT(grid[i] == (i / kBlocks + 1) * kBlocks * (kBlocks + 1) / 2, "grid sum %d is %d", i,
           grid[i]);
  }
}
