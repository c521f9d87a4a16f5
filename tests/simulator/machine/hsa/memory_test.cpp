// Memory: copies between host and GPUs, by SDMA and by ROCr's blit kernels.

#include <numeric>

#include "hsa_machine.h"

using Memory = HsaTest;

TEST_F(Memory, SdmaCopiesOfSeveralPacketsArriveInBothDirections) {
  constexpr size_t kSize = 9 << 20; // one packet moves 4 MiB
  std::byte* out = allocate(cpus_[0], kSize);
  std::byte* local = allocate(gpus_[0], kSize);
  std::byte* back = allocate(cpus_[0], kSize);
  for (size_t i = 0; i < kSize; ++i)
    out[i] = static_cast<std::byte>(i * 31 >> 3);
  copy(local, gpus_[0], out, cpus_[0], kSize);
  copy(back, cpus_[0], local, gpus_[0], kSize);
  EXPECT_EQ(0, std::memcmp(out, back, kSize));
}

TEST_F(Memory, CopiesBetweenGpusArrive) {
  constexpr size_t kSize = 123457;
  std::byte* out = allocate(cpus_[0], kSize);
  std::byte* first = allocate(gpus_[0], kSize);
  std::byte* second = allocate(gpus_[1], kSize);
  for (size_t i = 0; i < kSize; ++i)
    out[i] = static_cast<std::byte>(i);
  copy(first, gpus_[0], out, cpus_[0], kSize);
  copy(second, gpus_[1], first, gpus_[0], kSize);
  std::byte* back = allocate(cpus_[0], kSize);
  copy(back, cpus_[0], second, gpus_[1], kSize);
  EXPECT_EQ(0, std::memcmp(out, back, kSize));
}

TEST_F(Memory, ACopyWaitsForTheSignalsItDependsOn) {
  constexpr size_t kSize = 4096;
  std::byte* from = allocate(cpus_[0], kSize);
  std::byte* to = allocate(gpus_[0], kSize);
  const hsa_signal_t open = makeSignal(1), done = makeSignal(1);
  HSA_OK(hsa_amd_memory_async_copy(to, gpus_[0], from, cpus_[0], kSize, 1, &open, done));
  EXPECT_EQ(1, hsa_signal_load_scacquire(done));
  hsa_signal_store_screlease(open, 0);
  waitForZero(done);
}

TEST_F(Memory, RectanglesOfThreeDimensionsKeepPitchAndSlice) {
  constexpr size_t kPitch = 64, kSlice = 64 * 8, kSize = kSlice * 3;
  std::byte* from = allocate(cpus_[0], kSize);
  std::byte* to = allocate(gpus_[0], kSize);
  std::byte* back = allocate(cpus_[0], kSize);
  for (size_t i = 0; i < kSize; ++i) {
    from[i] = static_cast<std::byte>(i % 251);
    back[i] = std::byte{0xee};
  }
  copy(to, gpus_[0], back, cpus_[0], kSize);
  const hsa_pitched_ptr_t target{to, kPitch, kSlice};
  const hsa_pitched_ptr_t source{from, kPitch, kSlice};
  const hsa_dim3_t targetOffset{4, 1, 1}, sourceOffset{9, 2, 0}, range{21, 5, 2};
  const hsa_signal_t done = makeSignal(1);
  HSA_OK(hsa_amd_memory_async_copy_rect(&target, &targetOffset, &source, &sourceOffset, &range,
                                        gpus_[0], hsaHostToDevice, 0, nullptr, done));
  waitForZero(done);
  copy(back, cpus_[0], to, gpus_[0], kSize);
  for (size_t z = 0; z < 3; ++z)
    for (size_t y = 0; y < 8; ++y)
      for (size_t x = 0; x < kPitch; ++x) {
        const bool inside = x >= 4 && x < 25 && y >= 1 && y < 6 && z >= 1;
        const std::byte expected =
            inside ? from[(z - 1) * kSlice + (y + 1) * kPitch + x + 5] : std::byte{0xee};
        ASSERT_EQ(expected, back[z * kSlice + y * kPitch + x]) << x << ' ' << y << ' ' << z;
      }
}

TEST_F(Memory, FillAndCopyByBlitKernelsAgree) {
  constexpr size_t kWords = 100003;
  std::byte* local = allocate(gpus_[0], kWords * 4);
  HSA_OK(hsa_amd_memory_fill(local, 0x89abcdef, kWords));
  std::vector<uint32_t> back(kWords);
  HSA_OK(hsa_memory_copy(back.data(), local, kWords * 4));
  EXPECT_EQ(std::vector<uint32_t>(kWords, 0x89abcdef), back);
}

TEST_F(Memory, MoreLocalMemoryThanTheGpuHasIsRefused) {
  void* first = nullptr;
  void* second = nullptr;
  HSA_OK(hsa_amd_memory_pool_allocate(poolOf(gpus_[0]), size_t{40} << 30, 0, &first));
  EXPECT_EQ(HSA_STATUS_ERROR_OUT_OF_RESOURCES,
            hsa_amd_memory_pool_allocate(poolOf(gpus_[0]), size_t{40} << 30, 0, &second));
  HSA_OK(hsa_amd_memory_pool_allocate(poolOf(gpus_[1]), size_t{40} << 30, 0, &second))
      << "the other GPU has memory of its own";
  HSA_OK(hsa_amd_memory_pool_free(first));
  HSA_OK(hsa_amd_memory_pool_free(second));
}

TEST_F(Memory, FreedLocalMemoryComesBackZeroedAndIsCountedOnce) {
  const auto pool = poolOf(gpus_[0]);
  for (int round = 0; round < 4; ++round) {
    void* memory = nullptr;
    HSA_OK(hsa_amd_memory_pool_allocate(pool, size_t{40} << 30, 0, &memory)) << round;
    auto* bytes = static_cast<unsigned char*>(memory);
    EXPECT_EQ(0, bytes[12345]);
    bytes[12345] = 1;
    HSA_OK(hsa_amd_memory_pool_free(memory));
  }
}
