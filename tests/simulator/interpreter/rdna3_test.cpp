// What gfx1100 adds: dual instructions, halves of registers as operands, DPP of three operands,
// memory instructions under new names, and private memory without an address in scalar registers.
#include <algorithm>
#include <bit>

#include <gtest/gtest.h>

#include "edge_values.h"

namespace gpusim::test {
namespace {

Snippet onRdna3(std::string text, unsigned lanes = 32) {
  Snippet snippet(std::move(text));
  snippet.processor("gfx1100").lanes(lanes);
  return snippet;
}

uint32_t single(float value) {
  return std::bit_cast<uint32_t>(value);
}

TEST(Rdna3Dual, BothOperationsReadBeforeEitherWrites) {
  Snippet snippet = onRdna3("v_dual_mov_b32 v4, v1 :: v_dual_add_nc_u32 v5, v4, v3\n"
                            "v_dual_fmac_f32 v6, v1, v2 :: v_dual_mov_b32 v7, v6\n");
  snippet.vector(1, single(3)).vector(2, single(5)).vector(3, 1).vector(4, 41);
  snippet.vector(6, single(2)).vector(7, 0).exec(0xffff7fff).vector(5, 0).wantVectors(4, 4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(4)[0], single(3));
  EXPECT_EQ(snippet.vectorOut(5)[0], 42u);
  EXPECT_EQ(snippet.vectorOut(6)[0], single(17));
  EXPECT_EQ(snippet.vectorOut(7)[0], single(2));
  EXPECT_EQ(snippet.vectorOut(4)[15], 41u); // not in EXEC
  EXPECT_EQ(snippet.vectorOut(7)[15], 0u);
}

TEST(Rdna3Dual, SelectionTakesVccAndConstantsAreShared) {
  Snippet snippet =
      onRdna3("s_mov_b32 vcc_lo, 0xf0\n"
              "v_dual_cndmask_b32 v4, v1, v2 :: v_dual_lshlrev_b32 v5, 3, v3\n"
              "v_dual_fmaak_f32 v6, v10, v11, 0x40400000 :: v_dual_mul_f32 v7, 0x40400000, v12\n");
  snippet.vector(1, 10).vector(2, 20).vector(3, 7).vector(10, single(2)).vector(11, single(4));
  snippet.vector(12, single(4));
  snippet.wantVectors(4, 4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(snippet.vectorOut(4)[lane], lane >= 4 && lane < 8 ? 20u : 10u) << lane;
  }
  EXPECT_EQ(snippet.vectorOut(5)[0], 56u);
  EXPECT_EQ(snippet.vectorOut(6)[0], single(11));
  EXPECT_EQ(snippet.vectorOut(7)[0], single(12));
}

TEST(Rdna3Halves, AreOperandsOfTheirOwn) {
  const Lanes a = edgeLanes(40);
  const Lanes b = edgeLanes(41);
  const Lanes old = edgeLanes(42);
  Snippet snippet = onRdna3(
      "s_mov_b32 vcc_lo, 0x0ff0\nv_and_b16 v4.h, v1.l, v2.h\nv_add_nc_u16 v5.l, v1.h, v2.l\n"
      "v_mov_b16_e32 v6.h, v1.l\nv_cndmask_b16 v7.l, v1.h, v2.l, vcc_lo\n"
      "v_not_b16_e32 v8.l, v1.h\nv_cvt_u32_u16_e32 v9, v1.h\nv_cmp_lt_u16_e64 s4, v1.h, v2.l\n");
  snippet.vector(1, a).vector(2, b);
  for (unsigned index = 4; index <= 9; ++index) {
    snippet.vector(index, old);
  }
  snippet.wantVectors(4, 6).wantScalars(4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const uint32_t high = a[lane] >> 16;
    const uint32_t low = b[lane] & 0xffff;
    const uint32_t keptHigh = old[lane] & 0xffff0000;
    const uint32_t keptLow = old[lane] & 0xffff;
    const bool selected = lane >= 4 && lane < 12;
    EXPECT_EQ(snippet.vectorOut(4)[lane], keptLow | (a[lane] & b[lane] >> 16) << 16) << lane;
    EXPECT_EQ(snippet.vectorOut(5)[lane], keptHigh | ((high + low) & 0xffff)) << lane;
    EXPECT_EQ(snippet.vectorOut(6)[lane], keptLow | a[lane] << 16) << lane;
    EXPECT_EQ(snippet.vectorOut(7)[lane], keptHigh | (selected ? low : high)) << lane;
    EXPECT_EQ(snippet.vectorOut(8)[lane], keptHigh | (~high & 0xffff)) << lane;
    EXPECT_EQ(snippet.vectorOut(9)[lane], high) << lane;
    EXPECT_EQ(snippet.scalarOut(4) >> lane & 1, high < low ? 1u : 0u) << lane;
  }
}

TEST(Rdna3Halves, FloatResultsGoWhereTheTextSays) {
  constexpr uint32_t kHalves = 0x40003c00; // 2, 1
  Snippet snippet = onRdna3("v_add_f16_e32 v4.h, v1.h, v1.l\nv_fma_f16 v5.h, v1.h, v1.h, v1.l\n"
                            "v_fmac_f16_e32 v6.h, v1.h, v1.h\nv_cvt_f32_f16_e32 v7, v1.h\n"
                            "v_fmac_f16_e32 v8.l, v1.h, v1.l\n");
  snippet.vector(1, kHalves).wantVectors(4, 5);
  for (unsigned index = 4; index <= 8; ++index) {
    snippet.vector(index, kHalves);
  }
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(4)[0], 0x42003c00u); // 3
  EXPECT_EQ(snippet.vectorOut(5)[0], 0x45003c00u); // 5
  EXPECT_EQ(snippet.vectorOut(6)[0], 0x46003c00u); // 2 * 2 + 2
  EXPECT_EQ(snippet.vectorOut(7)[0], single(2));
  EXPECT_EQ(snippet.vectorOut(8)[0], 0x40004200u); // 2 * 1 + 1
}

TEST(Rdna3Lanes, ThreeOperandsAndComparisonsTakeMovedSources) {
  const Lanes a = edgeLanes(43);
  const Lanes b = edgeLanes(44);
  Snippet snippet =
      onRdna3("v_add3_u32_e64_dpp v4, v1, v2, v2 row_xmask:3 row_mask:0xf bank_mask:0xf\n"
              "v_cmp_lt_u32_e64_dpp s4, v1, v2 row_share:2 row_mask:0xf bank_mask:0xf\n"
              "v_add_nc_u32_dpp v5, v1, v2 dpp8:[1,0,3,2,5,4,7,6]\n");
  snippet.vector(1, a).vector(2, b).wantVectors(4, 2).wantScalars(4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(snippet.vectorOut(4)[lane], a[lane ^ 3] + 2 * b[lane]) << lane;
    EXPECT_EQ(snippet.vectorOut(5)[lane], a[lane ^ 1] + b[lane]) << lane;
    EXPECT_EQ(snippet.scalarOut(4) >> lane & 1, a[(lane & 16) + 2] < b[lane] ? 1u : 0u) << lane;
  }
}

TEST(Rdna3Lanes, HalvesOfAWaveChangePlaces) {
  for (const unsigned lanes : {32u, 64u}) {
    Snippet snippet = onRdna3("v_permlane64_b32 v4, v1\n", lanes);
    snippet.vector(1, edgeLanes(45)).wantVectors(4);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      EXPECT_EQ(snippet.vectorOut(4)[lane], edgeLanes(45)[lanes == 64 ? lane ^ 32 : lane]) << lane;
    }
  }
}

TEST(Rdna3Memory, RenamedAccessesReachTheSameMemory) {
  const Lanes a = edgeLanes(46);
  Snippet snippet =
      onRdna3("v_lshlrev_b32 v10, 2, v9\nglobal_store_b32 v10, v1, s[60:61]\n"
              "global_load_b32 v4, v10, s[60:61]\nglobal_load_d16_hi_u8 v5, v10, s[60:61]\n"
              "v_mov_b32 v11, 0\nv_mov_b32 v12, 1\n"
              "global_atomic_add_u32 v6, v11, v12, s[60:61] offset:1024 glc\n"
              "s_load_b64 s[4:5], s[60:61], 0x0\n"
              "ds_store_b32 v10, v1\nds_load_u16 v7, v10\n"
              "ds_cmpstore_rtn_b32 v8, v10, v12, v1\nds_load_b32 v13, v10\n");
  Lanes numbers;
  for (uint32_t lane = 0; lane < 64; ++lane) {
    numbers[lane] = lane;
  }
  snippet.vector(1, a).vector(9, numbers).vector(5, 7).ldsBytes(512);
  snippet.wantVectors(4, 5).wantVectors(13).wantScalars(4, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(snippet.vectorOut(4)[lane], a[lane]) << lane;
    EXPECT_EQ(snippet.vectorOut(5)[lane], 7 | (a[lane] & 0xff) << 16) << lane;
    EXPECT_EQ(snippet.vectorOut(6)[lane], lane) << lane; // what the lanes before had added
    EXPECT_EQ(snippet.vectorOut(7)[lane], a[lane] & 0xffff) << lane;
    EXPECT_EQ(snippet.vectorOut(8)[lane], a[lane]) << lane;
    EXPECT_EQ(snippet.vectorOut(13)[lane], 1u) << lane; // equal, so the first value was stored
  }
  EXPECT_EQ(snippet.scalarPairOut(4), uint64_t{a[1]} << 32 | a[0]);
}

TEST(Rdna3Memory, PrivateMemoryNeedsNoScalarRegisters) {
  Snippet snippet = onRdna3("scratch_store_b32 off, v1, off offset:8\nv_mov_b32 v4, 8\n"
                            "scratch_load_b32 v5, v4, off\n");
  snippet.vector(1, edgeLanes(47)).wantVectors(5);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(5), [] {
    Lanes expected = edgeLanes(47);
    std::fill(expected.begin() + 32, expected.end(), 0u);
    return expected;
  }());
}

TEST(Rdna3Integer, ExtremaOfExtremaAndMixedDots) {
  const Lanes a = edgeLanes(48);
  const Lanes b = edgeLanes(49);
  const Lanes c = edgeLanes(50);
  Snippet snippet = onRdna3("v_maxmin_i32 v4, v1, v2, v3\nv_minmax_u32 v5, v1, v2, v3\n"
                            "v_dot4_i32_iu8 v6, v1, v2, v3 neg_lo:[1,0,0]\n");
  snippet.vector(1, a).vector(2, b).vector(3, c).wantVectors(4, 3);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const auto number = [&](const Lanes& lanes) { return static_cast<int32_t>(lanes[lane]); };
    EXPECT_EQ(snippet.vectorOut(4)[lane],
              static_cast<uint32_t>(std::min(std::max(number(a), number(b)), number(c))));
    EXPECT_EQ(snippet.vectorOut(5)[lane], std::max(std::min(a[lane], b[lane]), c[lane]));
    uint32_t sum = c[lane];
    for (unsigned shift = 0; shift < 32; shift += 8) {
      const int32_t first = static_cast<int8_t>(a[lane] >> shift);
      sum += static_cast<uint32_t>(first * static_cast<int32_t>(b[lane] >> shift & 0xff));
    }
    EXPECT_EQ(snippet.vectorOut(6)[lane], sum) << lane;
  }
}

} // namespace
} // namespace gpusim::test
