// How RDNA's lanes see each other: DPP in rows and eights, permutes of rows and of halves, and
// registers that are addressed relative to M0.
#include <gtest/gtest.h>

#include "edge_values.h"

namespace gpusim::test {
namespace {

Lanes laneNumbers(uint32_t first, uint32_t scale = 1) {
  Lanes lanes;
  for (uint32_t lane = 0; lane < 64; ++lane) {
    lanes[lane] = first + lane * scale;
  }
  return lanes;
}

Snippet onRdna(std::string text, unsigned lanes) {
  Snippet snippet(std::move(text));
  snippet.processor("gfx1030").lanes(lanes);
  return snippet;
}

TEST(RdnaLanes, RowsShareAndExchangeByMask) {
  for (const unsigned lanes : {32u, 64u}) {
    Snippet snippet = onRdna("v_mov_b32_dpp v2, v1 row_share:5 row_mask:0xf bank_mask:0xf\n"
                             "v_mov_b32_dpp v3, v1 row_xmask:9 row_mask:0xf bank_mask:0xf\n"
                             "v_add_nc_u32_dpp v4, v1, v1 row_ror:3 row_mask:0x2 bank_mask:0xf\n",
                             lanes);
    snippet.vector(1, laneNumbers(100)).vector(4, 7).wantVectors(2, 3);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    for (uint32_t lane = 0; lane < lanes; ++lane) {
      const uint32_t row = lane / 16 * 16;
      EXPECT_EQ(snippet.vectorOut(2)[lane], 100 + row + 5);
      EXPECT_EQ(snippet.vectorOut(3)[lane], 100 + (lane ^ 9));
      const uint32_t rotated = 100 + row + (lane + 13) % 16 + 100 + lane;
      EXPECT_EQ(snippet.vectorOut(4)[lane], row == 16 ? rotated : 7u);
    }
  }
}

TEST(RdnaLanes, EightsArePermuted) {
  const std::string permutation = "dpp8:[7,0,3,2,1,6,5,4]";
  constexpr uint32_t kFrom[] = {7, 0, 3, 2, 1, 6, 5, 4};
  Snippet snippet = onRdna("v_mov_b32_dpp v2, v1 " + permutation + "\nv_mov_b32_dpp v3, v1 " +
                               permutation + " fi:1\n",
                           32);
  constexpr uint32_t kExec = 0xffff00fb;
  snippet.vector(1, laneNumbers(100)).vector(2, 5).vector(3, 5).exec(kExec).wantVectors(2, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t from = (lane & ~7u) + kFrom[lane & 7];
    const bool active = (kExec >> lane & 1) != 0;
    const bool readable = (kExec >> from & 1) != 0;
    EXPECT_EQ(snippet.vectorOut(2)[lane], !active ? 5 : readable ? 100 + from : 0) << lane;
    EXPECT_EQ(snippet.vectorOut(3)[lane], active ? 100 + from : 5) << lane;
  }
}

TEST(RdnaLanes, InactiveLanesAreFetchedOnlyWhenAsked) {
  Snippet snippet =
      onRdna("v_mov_b32_dpp v2, v1 row_xmask:1 row_mask:0xf bank_mask:0xf\n"
             "v_mov_b32_dpp v3, v1 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1\n"
             "v_mov_b32_dpp v4, v1 row_xmask:1 row_mask:0xf bank_mask:0xf fi:1\n",
             32);
  snippet.vector(1, laneNumbers(100)).vector(2, 5).vector(3, 5).vector(4, 5).exec(0x5);
  snippet.wantVectors(2, 3);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(2)[2], 5u);
  EXPECT_EQ(snippet.vectorOut(3)[2], 0u);
  EXPECT_EQ(snippet.vectorOut(4)[2], 103u);
}

TEST(RdnaLanes, RowsArePermutedByScalarSelectors) {
  constexpr uint64_t kSelectors = 0x0123456789abcdef;
  for (const unsigned lanes : {32u, 64u}) {
    Snippet snippet =
        onRdna("v_permlane16_b32 v2, v1, s2, s3\nv_permlanex16_b32 v3, v1, s2, s3\n", lanes);
    snippet.vector(1, laneNumbers(100)).scalar(2, static_cast<uint32_t>(kSelectors));
    snippet.scalar(3, static_cast<uint32_t>(kSelectors >> 32)).wantVectors(2, 2);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    for (uint32_t lane = 0; lane < lanes; ++lane) {
      const uint32_t position = 15 - lane % 16; // what the selectors say
      const uint32_t row = lane / 16;
      EXPECT_EQ(snippet.vectorOut(2)[lane], 100 + 16 * row + position) << lane;
      EXPECT_EQ(snippet.vectorOut(3)[lane], 100 + 16 * (row ^ 1) + position) << lane;
    }
  }
}

TEST(RdnaLanes, PermutedRowsTreatInactiveLanesAsTheModifiersSay) {
  Snippet snippet = onRdna("v_permlane16_b32 v2, v1, s2, s3\n"
                           "v_permlane16_b32 v3, v1, s2, s3 op_sel:[0,1]\n"
                           "v_permlane16_b32 v4, v1, s2, s3 op_sel:[1,0]\n",
                           32);
  snippet.vector(1, laneNumbers(100)).vector(2, 5).vector(3, 5).vector(4, 5);
  snippet.scalar(2, 0x76543201).scalar(3, 0xfedcba98).exec(1).wantVectors(2, 3);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(2)[0], 5u);   // lane 1 is not active: unchanged
  EXPECT_EQ(snippet.vectorOut(3)[0], 0u);   // bound control
  EXPECT_EQ(snippet.vectorOut(4)[0], 101u); // fetched
  EXPECT_EQ(snippet.vectorOut(4)[1], 5u);
}

TEST(RdnaLanes, LdsPermutesStayWithin32Lanes) {
  for (const unsigned lanes : {32u, 64u}) {
    Snippet snippet = onRdna("ds_bpermute_b32 v3, v2, v1\nds_permute_b32 v4, v2, v1\n", lanes);
    Lanes addresses;
    for (uint32_t lane = 0; lane < 64; ++lane) {
      addresses[lane] = 4 * (63 - lane);
    }
    snippet.vector(1, laneNumbers(100)).vector(2, addresses).wantVectors(3, 2);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    for (uint32_t lane = 0; lane < lanes; ++lane) {
      const uint32_t mirrored = (lane & 32) + 31 - lane % 32;
      EXPECT_EQ(snippet.vectorOut(3)[lane], 100 + mirrored) << lane;
      EXPECT_EQ(snippet.vectorOut(4)[lane], 100 + mirrored) << lane;
    }
  }
}

TEST(RdnaLanes, LanesBelowAreCountedInBothSizes) {
  for (const unsigned lanes : {32u, 64u}) {
    Snippet snippet =
        onRdna("v_mbcnt_lo_u32_b32 v1, -1, 0\nv_mbcnt_hi_u32_b32 v2, -1, v1\n", lanes);
    snippet.wantVectors(1, 2);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    for (uint32_t lane = 0; lane < lanes; ++lane) {
      EXPECT_EQ(snippet.vectorOut(1)[lane], std::min(lane, 32u));
      EXPECT_EQ(snippet.vectorOut(2)[lane], lane);
    }
  }
}

TEST(RdnaLanes, RegistersAreAddressedRelativeToM0) {
  Snippet snippet = onRdna("s_mov_b32 m0, 3\nv_movrels_b32_e32 v10, v1\n"
                           "v_movreld_b32_e32 v10, v2\nv_movrelsd_b32_e32 v11, v2\n"
                           "s_mov_b32 m0, 0x50001\nv_movrelsd_2_b32_e32 v10, v1\n"
                           "v_swaprel_b32 v11, v4\n"
                           "s_mov_b32 m0, 2\ns_movrels_b32 s10, s1\ns_movreld_b32 s10, s2\n"
                           "s_movrels_b64 s[14:15], s[2:3]\n",
                           32);
  for (unsigned index = 1; index <= 5; ++index) {
    snippet.vector(index, 100 + index).scalar(index, 200 + index);
  }
  snippet.vector(16, 7).wantVectors(5).wantVectors(10, 7).wantScalars(10, 6);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(10)[0], 104u);
  EXPECT_EQ(snippet.vectorOut(13)[0], 102u);
  EXPECT_EQ(snippet.vectorOut(14)[0], 105u);
  EXPECT_EQ(snippet.vectorOut(15)[0], 102u);
  EXPECT_EQ(snippet.vectorOut(16)[0], 105u); // exchanged with v5
  EXPECT_EQ(snippet.vectorOut(5)[0], 7u);
  EXPECT_EQ(snippet.scalarOut(10), 203u);
  EXPECT_EQ(snippet.scalarOut(12), 202u);
  EXPECT_EQ(snippet.scalarPairOut(14), uint64_t{205} << 32 | 204);
}

TEST(RdnaLanes, RelativeRegisterBeyondTheFileIsRefusedByMessage) {
  Snippet snippet = onRdna("s_mov_b32 m0, 255\nv_movrels_b32_e32 v10, v1\n", 32);
  ASSERT_FALSE(snippet.run());
  EXPECT_NE(snippet.fault().message.find("leaves the register file"), std::string::npos)
      << snippet.fault().message;
}

} // namespace
} // namespace gpusim::test
