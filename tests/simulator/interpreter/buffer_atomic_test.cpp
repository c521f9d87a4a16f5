// Atomics on buffers: operations, addressing, bounds and returned values.
#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "atomic_reference.h"
#include "edge_values.h"

namespace gpusim::test {
namespace {

constexpr uint64_t kData = Snippet::kData;
constexpr uint32_t kRecords = 4096;

Lanes offsets(uint32_t stride) {
  Lanes lanes;
  for (unsigned lane = 0; lane < 64; ++lane) {
    lanes[lane] = lane * stride;
  }
  return lanes;
}

/// The descriptor of a raw buffer over the data block in s[4:7].
Snippet& withBuffer(Snippet& snippet, uint32_t records = kRecords, uint32_t stride = 0) {
  snippet.scalar(4, static_cast<uint32_t>(kData));
  snippet.scalar(5, static_cast<uint32_t>(kData >> 32) | stride << 16);
  snippet.scalar(6, records).scalar(7, 0x00027000);
  return snippet;
}

TEST(BufferAtomic, EveryOperationReturnsTheOldValueUnderEveryMask) {
  const Lanes old = edgeLanes(80);
  const Lanes value = edgeLanes(81);
  for (const Atomic& atomic : kAtomics) {
    for (const uint64_t mask : kMasks) {
      Snippet snippet("buffer_atomic_" + std::string(atomic.name) +
                      " v2, v1, s[4:7], s8 offen offset:16 glc\n");
      snippet.memory.map(kData, 1u << 16);
      for (unsigned lane = 0; lane < 64; ++lane) {
        snippet.memory.write(kData + 48 + 4 * lane, old[lane]);
      }
      withBuffer(snippet).vector(1, offsets(4)).vector(2, value).scalar(8, 32).exec(mask);
      snippet.wantVectors(2);
      ASSERT_TRUE(snippet.run()) << snippet.fault().message;
      for (unsigned lane = 0; lane < 64; ++lane) {
        const bool active = (mask >> lane & 1) != 0;
        EXPECT_EQ(snippet.vectorOut(2)[lane], active ? old[lane] : value[lane]) << atomic.name;
        EXPECT_EQ(snippet.memory.read<uint32_t>(kData + 48 + 4 * lane),
                  active ? atomic.expected(old[lane], value[lane]) : old[lane])
            << atomic.name << " lane " << lane;
      }
    }
  }
}

TEST(BufferAtomic, WithoutReturnTheDataStaysAndLanesAddUp) {
  Snippet snippet("buffer_atomic_add v2, off, s[4:7], 0 offset:8\n"
                  "buffer_atomic_add_x2 v[4:5], off, s[4:7], 0 offset:16\n");
  withBuffer(snippet).vector(2, 3).vector(4, 0x80000000).vector(5, 0).exec(0xff00ff);
  snippet.wantVectors(2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.memory.read<uint32_t>(kData + 8), 16 * 3u);
  EXPECT_EQ(snippet.memory.read<uint64_t>(kData + 16), 16 * 0x80000000ull);
  EXPECT_EQ(snippet.vectorOut(2)[0], 3u);
  EXPECT_EQ(snippet.statistics().atomics, 2u);
}

TEST(BufferAtomic, BeyondTheBufferNothingHappensAndZeroIsReturned) {
  Snippet snippet("buffer_atomic_add v2, v1, s[4:7], 0 offen glc\n");
  withBuffer(snippet, 128).vector(1, offsets(4)).vector(2, 5).wantVectors(2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.memory.read<uint32_t>(kData + 124), 5u);
  EXPECT_EQ(snippet.memory.read<uint32_t>(kData + 128), 0u);
  EXPECT_EQ(snippet.vectorOut(2)[32], 0u);
}

TEST(BufferAtomic, IndicesCountInStrides) {
  Snippet snippet("buffer_atomic_or v2, v[0:1], s[4:7], 0 idxen offen\n");
  withBuffer(snippet, 64 * 24, 24).vector(0, offsets(1)).vector(1, 8).vector(2, offsets(3));
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(snippet.memory.read<uint32_t>(kData + 24 * lane + 8), 3 * lane) << lane;
  }
}

TEST(BufferAtomic, CompareAndSwapHasTheNewValueFirst) {
  Snippet snippet("buffer_atomic_cmpswap v[2:3], v1, s[4:7], 0 offen glc\n"
                  "buffer_atomic_cmpswap_x2 v[4:7], off, s[4:7], 0 offset:1024 glc\n");
  Lanes expected;
  expected.fill(0);
  expected[9] = 1; // does not match
  withBuffer(snippet).vector(1, offsets(4)).vector(2, 77).vector(3, expected);
  snippet.vector(4, 1).vector(5, 2).vector(6, 0).vector(7, 0).wantVectors(2, 6);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.memory.read<uint32_t>(kData), 77u);
  EXPECT_EQ(snippet.memory.read<uint32_t>(kData + 36), 0u);
  EXPECT_EQ(snippet.vectorOut(2)[0], 0u);
  EXPECT_EQ(snippet.vectorOut(3)[9], 1u); // the expected value is kept
  EXPECT_EQ(snippet.memory.read<uint64_t>(kData + 1024), 0x200000001u);
  EXPECT_EQ(snippet.vectorOut(4)[0], 0u);
  EXPECT_EQ(snippet.vectorOut(4)[1], 1u); // lane 0 was first
  EXPECT_EQ(snippet.vectorOut(5)[63], 2u);
}

TEST(BufferAtomic, SumsOfFloats) {
  Snippet snippet("buffer_atomic_add_f32 v2, off, s[4:7], 0\n"
                  "buffer_atomic_add_f64 v[4:5], off, s[4:7], 0 offset:8\n"
                  "buffer_atomic_max_f64 v[6:7], off, s[4:7], 0 offset:16\n"
                  "buffer_atomic_min_f64 v[6:7], off, s[4:7], 0 offset:24\n"
                  "buffer_atomic_pk_add_f16 v8, off, s[4:7], 0 offset:32\n");
  const auto seven = std::bit_cast<uint64_t>(-7.5);
  withBuffer(snippet).vector(2, std::bit_cast<uint32_t>(0.5f));
  snippet.vector(4, 0).vector(5, static_cast<uint32_t>(std::bit_cast<uint64_t>(0.25) >> 32));
  snippet.vector(6, static_cast<uint32_t>(seven)).vector(7, static_cast<uint32_t>(seven >> 32));
  snippet.vector(8, 0x3c00c000); // 1 above, -2 below
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.memory.read<float>(kData), 32.0f);
  EXPECT_EQ(snippet.memory.read<double>(kData + 8), 16.0);
  EXPECT_EQ(snippet.memory.read<double>(kData + 16), 0.0);
  EXPECT_EQ(snippet.memory.read<double>(kData + 24), -7.5);
  EXPECT_EQ(snippet.memory.read<uint32_t>(kData + 32), 0x5400d800u); // 64 and -128
}

TEST(BufferAtomic, MisalignedIsAFault) {
  Snippet snippet("buffer_atomic_add v2, off, s[4:7], 0 offset:2\n");
  withBuffer(snippet);
  ASSERT_FALSE(snippet.run());
  EXPECT_EQ(snippet.fault().kind, Fault::Kind::ApertureViolation) << snippet.fault().message;
}

TEST(BufferAtomic, TransfersToLdsAreRefused) {
  Snippet snippet("buffer_load_dword off, s[4:7], 0 lds\n");
  withBuffer(snippet);
  ASSERT_FALSE(snippet.run());
  EXPECT_EQ(snippet.fault().kind, Fault::Kind::Unsupported) << snippet.fault().message;
}

TEST(BufferAtomic, BuffersWithDataFormatAreRefusedByName) {
  Snippet snippet("buffer_load_format_x v2, off, s[4:7], 0\n");
  withBuffer(snippet);
  ASSERT_FALSE(snippet.run());
  EXPECT_NE(snippet.fault().message.find("data format"), std::string::npos)
      << snippet.fault().message;
}

} // namespace
} // namespace gpusim::test
