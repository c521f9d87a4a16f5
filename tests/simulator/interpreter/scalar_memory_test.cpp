// Scalar stores and atomics, moves between numbered registers, masks of quads.
#include <gtest/gtest.h>

#include "atomic_reference.h"
#include "edge_values.h"

namespace gpusim::test {
namespace {

constexpr uint64_t kData = Snippet::kData;

/// The descriptor of a buffer of `bytes` over the data block in s[4:7].
Snippet& withBuffer(Snippet& snippet, uint32_t bytes) {
  snippet.scalar(4, static_cast<uint32_t>(kData)).scalar(5, static_cast<uint32_t>(kData >> 32));
  return snippet.scalar(6, bytes).scalar(7, 0x00027000);
}

TEST(ScalarStore, WritesExactlyItsDwords) {
  Snippet snippet("s_store_dword s8, s[60:61], 4\ns_store_dwordx2 s[8:9], s[60:61], s14\n"
                  "s_store_dwordx4 s[8:11], s[60:61], 0x40\ns_load_dword s12, s[60:61], 4\n"
                  "s_waitcnt lgkmcnt(0)\n");
  for (unsigned index = 8; index < 12; ++index) {
    snippet.scalar(index, 0x11111111u * index);
  }
  snippet.scalar(14, 0x20).wantScalars(12);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.scalarOut(12), 0x88888888u);
  EXPECT_EQ(snippet.memory.read<uint64_t>(kData), 0x88888888ull << 32);
  EXPECT_EQ(snippet.memory.read<uint32_t>(kData + 8), 0u);
  EXPECT_EQ(snippet.memory.read<uint64_t>(kData + 0x20), 0x9999999988888888ull);
  EXPECT_EQ(snippet.memory.read<uint32_t>(kData + 0x28), 0u);
  EXPECT_EQ(snippet.memory.read<uint64_t>(kData + 0x48), 0xbbbbbbbbaaaaaaaaull);
}

TEST(ScalarStore, BehindTheBufferIsDropped) {
  Snippet snippet(
      "s_buffer_store_dwordx4 s[8:11], s[4:7], 8\ns_buffer_load_dwordx2 s[12:13], s[4:7], 12\n");
  withBuffer(snippet, 16);
  for (unsigned index = 8; index < 14; ++index) {
    snippet.scalar(index, index);
  }
  snippet.wantScalars(12, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.memory.read<uint32_t>(kData + 8), 8u);
  EXPECT_EQ(snippet.memory.read<uint32_t>(kData + 12), 9u);
  EXPECT_EQ(snippet.memory.read<uint32_t>(kData + 16), 0u);
  EXPECT_EQ(snippet.scalarOut(12), 9u);
  EXPECT_EQ(snippet.scalarOut(13), 0u);
}

TEST(ScalarStore, UnmappedIsAFaultOfAWrite) {
  Snippet snippet("s_store_dword s8, s[8:9], 0\n");
  snippet.scalar(8, 0x1000).scalar(9, 0);
  ASSERT_FALSE(snippet.run());
  EXPECT_EQ(snippet.fault().kind, Fault::Kind::MemoryViolation);
  EXPECT_TRUE(snippet.fault().isWrite);
  EXPECT_EQ(snippet.fault().address, 0x1000u);
}

TEST(ScalarAtomic, OneUpdateAWaveWhateverExecSays) {
  const Lanes values = edgeLanes(90);
  for (const Atomic& atomic : kAtomics) {
    const std::string name = atomic.name;
    for (unsigned pair = 0; pair < 8; ++pair) {
      const uint32_t old = values[2 * pair];
      const uint32_t value = values[2 * pair + 1];
      Snippet snippet("s_atomic_" + name + " s8, s[60:61], 0x10 glc\n" + "s_buffer_atomic_" + name +
                      " s9, s[4:7], 0x20\n");
      snippet.memory.map(kData, 1u << 16);
      snippet.memory.write(kData + 0x10, old);
      snippet.memory.write(kData + 0x20, old);
      withBuffer(snippet, 64).scalar(8, value).scalar(9, value).exec(0).wantScalars(8, 2);
      ASSERT_TRUE(snippet.run()) << snippet.fault().message;
      const uint32_t expected = atomic.expected(old, value);
      EXPECT_EQ(snippet.memory.read<uint32_t>(kData + 0x10), expected) << name;
      EXPECT_EQ(snippet.memory.read<uint32_t>(kData + 0x20), expected) << name;
      EXPECT_EQ(snippet.scalarOut(8), old) << name;
      EXPECT_EQ(snippet.scalarOut(9), value) << name;
    }
  }
}

TEST(ScalarAtomic, CompareAndSwapAndPairs) {
  Snippet snippet("s_atomic_cmpswap s[8:9], s[60:61], 0 glc\n"
                  "s_atomic_cmpswap_x2 s[12:15], s[60:61], 0x10 glc\n"
                  "s_atomic_add_x2 s[16:17], s[60:61], 0x20 glc\n");
  snippet.memory.map(kData, 1u << 16);
  snippet.memory.write(kData, 5u);
  snippet.memory.write(kData + 0x10, uint64_t{6});
  snippet.memory.write(kData + 0x20, 0xffffffffffull);
  snippet.scalar(8, 50).scalar(9, 5).scalar(12, 1).scalar(13, 2).scalar(14, 7).scalar(15, 0);
  snippet.scalar(16, 1).scalar(17, 0).wantScalars(8, 2).wantScalars(12, 2).wantScalars(16, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.memory.read<uint32_t>(kData), 50u);
  EXPECT_EQ(snippet.memory.read<uint64_t>(kData + 0x10), 6u); // 7 was expected
  EXPECT_EQ(snippet.memory.read<uint64_t>(kData + 0x20), 0x10000000000ull);
  EXPECT_EQ(snippet.scalarOut(8), 5u);
  EXPECT_EQ(snippet.scalarPairOut(12), 6u);
  EXPECT_EQ(snippet.scalarPairOut(16), 0xffffffffffull);
}

TEST(ScalarAtomic, OutsideTheBufferNothingHappensAndZeroIsReturned) {
  Snippet snippet("s_buffer_atomic_add_x2 s[8:9], s[4:7], 12 glc\n");
  withBuffer(snippet, 16).scalar(8, 1).scalar(9, 1).wantScalars(8, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.memory.read<uint64_t>(kData + 8), 0u);
  EXPECT_EQ(snippet.scalarPairOut(8), 0u);
}

TEST(ScalarRelative, M0IsAddedToTheRegisterNumber) {
  Snippet snippet(
      "s_mov_b32 m0, 3\ns_movrels_b32 s20, s8\ns_movreld_b32 s21, s9\n"
      "s_mov_b32 m0, 2\ns_movrels_b64 s[22:23], s[8:9]\ns_movreld_b64 s[26:27], s[8:9]\n");
  for (unsigned index = 8; index < 12; ++index) {
    snippet.scalar(index, 100 + index);
  }
  snippet.scalar(24, 0).scalar(28, 0).scalar(29, 0);
  snippet.wantScalars(20).wantScalars(22, 3).wantScalars(28, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.scalarOut(20), 111u);
  EXPECT_EQ(snippet.scalarOut(24), 109u);
  EXPECT_EQ(snippet.scalarPairOut(22), 110u | 111ull << 32);
  EXPECT_EQ(snippet.scalarPairOut(28), 108u | 109ull << 32);
}

TEST(ScalarRelative, RegistersThatDoNotExistAreRefused) {
  Snippet snippet("s_mov_b32 m0, 98\ns_movreld_b32 s4, s8\n");
  ASSERT_FALSE(snippet.run());
  EXPECT_EQ(snippet.fault().kind, Fault::Kind::Unsupported) << snippet.fault().message;
}

TEST(ScalarQuads, MasksOfThirtyTwoBits) {
  Snippet snippet("s_quadmask_b32 s10, s8\ns_cselect_b32 s11, 1, 0\ns_wqm_b32 s12, s8\n"
                  "s_quadmask_b32 s13, s9\ns_cselect_b32 s14, 1, 0\n");
  snippet.scalar(8, 0x80010040).scalar(9, 0).wantScalars(10, 5);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.scalarOut(10), 0x92u);
  EXPECT_EQ(snippet.scalarOut(11), 1u);
  EXPECT_EQ(snippet.scalarOut(12), 0xf00f00f0u);
  EXPECT_EQ(snippet.scalarOut(13), 0u);
  EXPECT_EQ(snippet.scalarOut(14), 0u);
}

} // namespace
} // namespace gpusim::test
