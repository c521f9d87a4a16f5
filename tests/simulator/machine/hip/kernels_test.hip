// Kernels launched by HIP end with the results that the host computes.

#include <numeric>
#include <vector>

#include "hip_check.h"

namespace {

__global__ void addVectors(const float* left, const float* right, float* sum, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    sum[i] = left[i] + right[i];
}

__global__ void sumBlocks(const unsigned* values, unsigned* sums) {
  __shared__ unsigned partial[256];
  partial[threadIdx.x] = values[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride)
      partial[threadIdx.x] += partial[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = partial[0];
}

__global__ void count(unsigned* total, unsigned long long* sum) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(total, 1u);
  atomicAdd(sum, static_cast<unsigned long long>(i));
}

__global__ void writePosition(uint3* positions) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned z = blockIdx.z * blockDim.z + threadIdx.z;
  const unsigned width = gridDim.x * blockDim.x;
  const unsigned height = gridDim.y * blockDim.y;
  positions[(z * height + y) * width + x] = {x, y, z};
}

__global__ void reverseInScratch(unsigned* values, const unsigned* order) {
  unsigned local[64];
  unsigned* mine = values + (blockIdx.x * blockDim.x + threadIdx.x) * 64;
  for (int i = 0; i < 64; ++i)
    local[order[i]] = mine[i];
  for (int i = 0; i < 64; ++i)
    mine[i] = local[i];
}

} // namespace

TEST(Kernels, PartlyFilledLastWaveWritesNothingBeyondItsCount) {
  constexpr int kCount = 1000;
  std::vector<float> left(1024), right(1024);
  for (int i = 0; i < 1024; ++i) {
    left[i] = static_cast<float>(i);
    right[i] = 0.5f * static_cast<float>(i);
  }
  DeviceArray<float> a(1024), b(1024), sum(1024);
  a.fromHost(left);
  b.fromHost(right);
  addVectors<<<4, 256>>>(a.get(), b.get(), sum.get(), kCount);
  HIP_OK(hipDeviceSynchronize());
  const auto result = sum.toHost();
  for (int i = 0; i < 1024; ++i)
    ASSERT_EQ(i < kCount ? 1.5f * static_cast<float>(i) : 0.0f, result[i]) << i;
}

TEST(Kernels, WavesOfAWorkgroupMeetAtBarriersAndShareLocalMemory) {
  std::vector<unsigned> values(8 * 256);
  std::iota(values.begin(), values.end(), 1u);
  DeviceArray<unsigned> input(values.size()), sums(8);
  input.fromHost(values);
  sumBlocks<<<8, 256>>>(input.get(), sums.get());
  HIP_OK(hipDeviceSynchronize());
  const auto result = sums.toHost();
  for (unsigned block = 0; block < 8; ++block)
    EXPECT_EQ(std::accumulate(values.begin() + block * 256, values.begin() + (block + 1) * 256, 0u),
              result[block]);
}

TEST(Kernels, AtomicsLoseNoUpdate) {
  DeviceArray<unsigned> total(1);
  DeviceArray<unsigned long long> sum(1);
  count<<<100, 192>>>(total.get(), sum.get());
  HIP_OK(hipDeviceSynchronize());
  constexpr unsigned long long kThreads = 100 * 192;
  EXPECT_EQ(kThreads, total.toHost()[0]);
  EXPECT_EQ(kThreads * (kThreads - 1) / 2, sum.toHost()[0]);
}

TEST(Kernels, ThreeDimensionalGridsNumberEveryWorkItem) {
  constexpr unsigned kWidth = 6, kHeight = 10, kDepth = 8;
  DeviceArray<uint3> positions(kWidth * kHeight * kDepth, 0xff);
  writePosition<<<dim3(2, 2, 4), dim3(3, 5, 2)>>>(positions.get());
  HIP_OK(hipDeviceSynchronize());
  const auto result = positions.toHost();
  for (unsigned i = 0; i < result.size(); ++i) {
    EXPECT_EQ(i % kWidth, result[i].x);
    EXPECT_EQ(i / kWidth % kHeight, result[i].y);
    EXPECT_EQ(i / (kWidth * kHeight), result[i].z);
  }
}

TEST(Kernels, EachWorkItemHasScratchOfItsOwn) {
  constexpr unsigned kThreads = 512;
  std::vector<unsigned> order(64), values(kThreads * 64);
  for (unsigned i = 0; i < 64; ++i)
    order[i] = 63 - i;
  std::iota(values.begin(), values.end(), 0u);
  DeviceArray<unsigned> device(values.size()), deviceOrder(64);
  device.fromHost(values);
  deviceOrder.fromHost(order);
  reverseInScratch<<<kThreads / 128, 128>>>(device.get(), deviceOrder.get());
  HIP_OK(hipDeviceSynchronize());
  const auto result = device.toHost();
  for (unsigned i = 0; i < result.size(); ++i)
    ASSERT_EQ(i / 64 * 64 + 63 - i % 64, result[i]) << i;
}
