#include <hip/hip_runtime.h>

constexpr unsigned kTile = 16;

extern "C" __global__ void transpose(const float* from, float* to, unsigned side) {
  __shared__ float tile[kTile][kTile + 1];
  const unsigned row = blockIdx.y * kTile + threadIdx.y;
  const unsigned column = blockIdx.x * kTile + threadIdx.x;
  if (row < side && column < side)
    tile[threadIdx.y][threadIdx.x] = from[row * side + column];
  __syncthreads();
  const unsigned newRow = blockIdx.x * kTile + threadIdx.y;
  const unsigned newColumn = blockIdx.y * kTile + threadIdx.x;
  if (newRow < side && newColumn < side)
    to[newRow * side + newColumn] = tile[threadIdx.x][threadIdx.y];
}
