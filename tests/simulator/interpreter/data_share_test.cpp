// The rarer operations of the local data share, and semaphores of whole dispatches.
#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "edge_values.h"

namespace gpusim::test {
namespace {

Lanes offsets(uint32_t stride) {
  Lanes lanes;
  for (unsigned lane = 0; lane < 64; ++lane) {
    lanes[lane] = lane * stride;
  }
  return lanes;
}

Lanes lanesOf(float (*value)(unsigned)) {
  Lanes lanes;
  for (unsigned lane = 0; lane < 64; ++lane) {
    lanes[lane] = std::bit_cast<uint32_t>(value(lane));
  }
  return lanes;
}

TEST(LocalExchange, TwoWordsChangePlaceWithTwoRegisters) {
  Snippet snippet("ds_write2_b32 v1, v2, v3 offset1:64\n"
                  "ds_wrxchg2_rtn_b32 v[4:5], v1, v6, v7 offset1:64\n"
                  "ds_wrxchg2st64_rtn_b32 v[8:9], v1, v2, v3 offset0:0 offset1:1\n"
                  "ds_read2_b32 v[10:11], v1 offset1:64\n");
  const Lanes a = edgeLanes(100), b = edgeLanes(101), c = edgeLanes(102), d = edgeLanes(103);
  constexpr uint64_t kMask = 0x8000f0f012345679;
  snippet.vector(1, offsets(4)).vector(2, a).vector(3, b).vector(6, c).vector(7, d);
  snippet.vector(4, 1).exec(kMask).ldsBytes(512).wantVectors(4, 2).wantVectors(8, 4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    if ((kMask >> lane & 1) == 0) {
      EXPECT_EQ(snippet.vectorOut(4)[lane], 1u);
      continue;
    }
    EXPECT_EQ(snippet.vectorOut(4)[lane], a[lane]);
    EXPECT_EQ(snippet.vectorOut(5)[lane], b[lane]);
    EXPECT_EQ(snippet.vectorOut(8)[lane], c[lane]);
    EXPECT_EQ(snippet.vectorOut(9)[lane], d[lane]);
    EXPECT_EQ(snippet.vectorOut(10)[lane], a[lane]);
    EXPECT_EQ(snippet.vectorOut(11)[lane], b[lane]);
  }
}

TEST(LocalExchange, PairsOfPairs) {
  Snippet snippet("ds_write_b64 v1, v[2:3]\nds_write_b64 v1, v[4:5] offset:512\n"
                  "ds_wrxchg2_rtn_b64 v[8:11], v1, v[4:5], v[2:3] offset1:64\n"
                  "ds_wrxchg2st64_rtn_b64 v[12:15], v1, v[2:3], v[2:3] offset1:1\n");
  const Lanes a = edgeLanes(104), b = edgeLanes(105), c = edgeLanes(106), d = edgeLanes(107);
  snippet.vector(1, offsets(8)).vector(2, a).vector(3, b).vector(4, c).vector(5, d);
  snippet.ldsBytes(1024).wantVectors(8, 8);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(8), a);
  EXPECT_EQ(snippet.vectorOut(9), b);
  EXPECT_EQ(snippet.vectorOut(10), c);
  EXPECT_EQ(snippet.vectorOut(11), d);
  EXPECT_EQ(snippet.vectorOut(12), c);
  EXPECT_EQ(snippet.vectorOut(13), d);
  EXPECT_EQ(snippet.vectorOut(14), a);
  EXPECT_EQ(snippet.vectorOut(15), b);
}

TEST(LocalCompareSwap, FloatsCompareAsNumbers) {
  const Lanes old = lanesOf([](unsigned lane) {
    const float values[] = {0.0f, -0.0f, NAN, INFINITY, 1.5f, -1.5f, 0x1p-149f, 3.0f};
    return values[lane % 8];
  });
  const Lanes expected = lanesOf([](unsigned lane) {
    const float values[] = {-0.0f, 0.0f, NAN, INFINITY, 1.5f, 1.5f, 0x1p-149f, NAN};
    return values[lane % 8];
  });
  Snippet snippet("ds_write_b32 v1, v2\nds_cmpst_rtn_f32 v5, v1, v3, v4\nds_read_b32 v6, v1\n"
                  "ds_cmpst_f32 v1, v4, v2\nds_read_b32 v7, v1\n");
  snippet.vector(1, offsets(4)).vector(2, old).vector(3, expected).vector(4, 0x42280000);
  snippet.ldsBytes(256).wantVectors(5, 3);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(5), old);
  EXPECT_EQ(snippet.vectorOut(7), old); // swapped back where it was swapped
  constexpr bool kSwapped[] = {true, true, false, true, true, false, true, false};
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(snippet.vectorOut(6)[lane], kSwapped[lane % 8] ? 0x42280000u : old[lane]) << lane;
  }
}

TEST(LocalCompareSwap, DoublesCompareAsNumbers) {
  Snippet snippet("ds_write_b64 v1, v[2:3]\nds_cmpst_rtn_f64 v[8:9], v1, v[4:5], v[6:7]\n"
                  "ds_read_b64 v[10:11], v1\n");
  Lanes high;
  high.fill(0x80000000); // -0.0
  high[5] = 0x7ff80000;  // NaN
  Lanes expected;
  expected.fill(0);
  expected[5] = 0x7ff80000;
  snippet.vector(1, offsets(8)).vector(2, 0).vector(3, high).vector(4, 0).vector(5, expected);
  snippet.vector(6, 1).vector(7, 2).ldsBytes(512).wantVectors(8, 4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(9), high);
  EXPECT_EQ(snippet.vectorOut(10)[4], 1u);
  EXPECT_EQ(snippet.vectorOut(11)[4], 2u);
  EXPECT_EQ(snippet.vectorOut(10)[5], 0u);
  EXPECT_EQ(snippet.vectorOut(11)[5], 0x7ff80000u);
}

TEST(LocalAtomic, WrapsAndConditionalExchange) {
  const Lanes old = edgeLanes(108), first = edgeLanes(109), second = edgeLanes(110);
  Snippet snippet("ds_write_b32 v1, v2\nds_wrap_rtn_b32 v5, v1, v3, v4\nds_read_b32 v6, v1\n"
                  "ds_write_b64 v7, v[2:3]\nds_condxchg32_rtn_b64 v[8:9], v7, v[4:5]\n"
                  "ds_read_b64 v[10:11], v7\n");
  snippet.vector(1, offsets(4)).vector(2, old).vector(3, first).vector(4, second);
  snippet.vector(7, offsets(8)).ldsBytes(512).wantVectors(5, 2).wantVectors(8, 4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(5), old);
  EXPECT_EQ(snippet.vectorOut(8), old);
  EXPECT_EQ(snippet.vectorOut(9), first);
  const auto exchanged = [](uint32_t before, uint32_t value) {
    return (value & 0x80000000) != 0 ? value & 0x7fffffff : before;
  };
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(snippet.vectorOut(6)[lane],
              old[lane] >= first[lane] ? old[lane] - first[lane] : old[lane] + second[lane]);
    EXPECT_EQ(snippet.vectorOut(10)[lane], exchanged(old[lane], second[lane]));
    EXPECT_EQ(snippet.vectorOut(11)[lane], exchanged(first[lane], old[lane])); // v5 was read
  }
}

TEST(LocalByLane, LanesFollowEachOtherFromM0) {
  Snippet snippet(
      "s_mov_b32 m0, 0x40\nds_write_addtid_b32 v2 offset:16\nds_read_b32 v3, v1 offset:80\n"
      "ds_read_addtid_b32 v4 offset:16\nds_nop\n");
  const Lanes values = edgeLanes(111);
  snippet.vector(1, offsets(4)).vector(2, values).ldsBytes(512).wantVectors(3, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(3), values);
  EXPECT_EQ(snippet.vectorOut(4), values);
}

TEST(LocalByLane, BehindTheAllocationIsAFault) {
  Snippet snippet("s_mov_b32 m0, 0\nds_write_addtid_b32 v2 offset:512\n");
  snippet.ldsBytes(512);
  ASSERT_FALSE(snippet.run());
  EXPECT_EQ(snippet.fault().kind, Fault::Kind::ApertureViolation) << snippet.fault().message;
}

TEST(LocalTwoAddresses, AreRefusedByName) {
  Snippet snippet("ds_add_src2_u32 v1\n");
  snippet.processor("gfx906").ldsBytes(512);
  ASSERT_FALSE(snippet.run());
  EXPECT_EQ(snippet.fault().kind, Fault::Kind::Unsupported);
  EXPECT_NE(snippet.fault().message.find("two addresses"), std::string::npos)
      << snippet.fault().message;
}

TEST(Semaphore, PermitsLetAsManyPass) {
  Snippet snippet("s_mov_b32 m0, 0\nds_gws_sema_v offset:5 gds\nds_gws_sema_br v2 offset:5 gds\n"
                  "ds_gws_sema_p offset:5 gds\nds_gws_sema_p offset:5 gds\n"
                  "ds_gws_sema_release_all offset:5 gds\n");
  snippet.vector(2, 3);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.waveSync.permits[5], 2u);
}

TEST(Semaphore, WaitingForWhatNobodyGivesIsReported) {
  Snippet snippet("s_mov_b32 m0, 0\nds_gws_sema_p offset:7 gds\n");
  ASSERT_FALSE(snippet.run());
  EXPECT_EQ(snippet.fault().kind, Fault::Kind::Unsupported);
  EXPECT_NE(snippet.fault().message.find("1 waves wait"), std::string::npos)
      << snippet.fault().message;
}

} // namespace
} // namespace gpusim::test
