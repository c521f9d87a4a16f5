// What gfx1100 adds: dual instructions, halves of registers as operands, DPP of three operands,
// memory instructions under new names, and private memory without an address in scalar registers.
#include <algorithm>
#include <bit>
#include <cmath>

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

TEST(Rdna3Halves, ComparisonsIntoExecTakeTheHalvesThatTheTextNames) {
  const Lanes a = edgeLanes(54);
  const Lanes b = edgeLanes(55);
  Snippet snippet = onRdna3("v_cmpx_lt_u16_e64 v1.l, v2.h\ns_mov_b32 s4, exec_lo\n"
                            "s_mov_b32 exec_lo, -1\nv_cmpx_lt_u16_e64 v1.h, v2.l\n"
                            "s_mov_b32 s5, exec_lo\n");
  snippet.vector(1, a).vector(2, b).wantScalars(4, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(snippet.scalarOut(4) >> lane & 1, (a[lane] & 0xffff) < b[lane] >> 16) << lane;
    EXPECT_EQ(snippet.scalarOut(5) >> lane & 1, a[lane] >> 16 < (b[lane] & 0xffff)) << lane;
  }
}

TEST(Rdna3Halves, ChangePlacesEvenWithinARegister) {
  const Lanes a = edgeLanes(51);
  const Lanes b = edgeLanes(52);
  Snippet snippet = onRdna3("v_swap_b16 v1.l, v2.h\nv_swap_b16 v3.l, v3.h\n");
  snippet.vector(1, a).vector(2, b).vector(3, a).exec(0x7fffffff).wantVectors(1, 3);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 31; ++lane) {
    EXPECT_EQ(snippet.vectorOut(1)[lane], (a[lane] & 0xffff0000) | b[lane] >> 16) << lane;
    EXPECT_EQ(snippet.vectorOut(2)[lane], (b[lane] & 0xffff) | a[lane] << 16) << lane;
    EXPECT_EQ(snippet.vectorOut(3)[lane], a[lane] >> 16 | a[lane] << 16) << lane;
  }
  EXPECT_EQ(snippet.vectorOut(3)[31], a[31]);
}

TEST(Rdna3Halves, SaturatedBytesKeepTheOtherHalf) {
  const Lanes a = edgeLanes(53);
  Snippet snippet = onRdna3("v_sat_pk_u8_i16_e32 v4.h, v1\n");
  snippet.vector(1, a).vector(4, 0x12345678).wantVectors(4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const auto byte = [](uint32_t half) {
      return static_cast<uint32_t>(std::clamp<int>(static_cast<int16_t>(half), 0, 255));
    };
    EXPECT_EQ(snippet.vectorOut(4)[lane],
              0x5678u | byte(a[lane]) << 16 | byte(a[lane] >> 16) << 24);
  }
}

TEST(Rdna3Conversion, PairsOfSinglesBecomePairsOfSaturatedIntegers) {
  constexpr float kValues[] = {0.0f,      -0.9f,    1.9f,     -1.9f,    32767.4f,  32768.0f,
                               -32769.0f, 65535.9f, 65536.0f, INFINITY, -INFINITY, NAN};
  Lanes a, b;
  for (unsigned lane = 0; lane < 64; ++lane) {
    a[lane] = single(kValues[lane % std::size(kValues)]);
    b[lane] = single(kValues[(lane + lane / std::size(kValues) + 1) % std::size(kValues)]);
  }
  Snippet snippet = onRdna3("v_cvt_pk_i16_f32 v4, v1, v2\nv_cvt_pk_u16_f32 v5, v1, -v2\n");
  snippet.vector(1, a).vector(2, b).wantVectors(4, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  const auto integer = [](float value, float low, float high) {
    return std::isnan(value) ? 0u
                             : static_cast<uint32_t>(static_cast<int32_t>(
                                   std::trunc(std::min(std::max(value, low), high)))) &
                                   0xffff;
  };
  for (unsigned lane = 0; lane < 32; ++lane) {
    const float x = std::bit_cast<float>(a[lane]);
    const float y = std::bit_cast<float>(b[lane]);
    EXPECT_EQ(snippet.vectorOut(4)[lane], integer(x, -32768, 32767) | integer(y, -32768, 32767)
                                                                          << 16)
        << lane;
    EXPECT_EQ(snippet.vectorOut(5)[lane], integer(x, 0, 65535) | integer(-y, 0, 65535) << 16)
        << lane;
  }
}

/// The upper half of a single.
uint32_t brain(float value) {
  return single(value) >> 16;
}

TEST(Rdna3Dot, HalvesAndBrainFloatsAddUpInEveryKindOfSum) {
  // Small integers: every sum is exact in every format, and the parts differ.
  const uint32_t halves[] = {0x40003c00, 0x45004400}; // (1, 2) and (4, 5): 14
  const uint32_t brains[] = {brain(1) | brain(2) << 16, brain(4) | brain(5) << 16};
  Snippet snippet = onRdna3("v_dot2_f32_f16 v10, v1, v2, v5\nv_dot2_f32_bf16 v11, v3, v4, v5\n"
                            "v_dot2_f32_bf16 v12, v3, v4, v5 neg_lo:[1,0,0] neg_hi:[0,1,0]\n"
                            "v_dot2_f16_f16 v13.h, v1, v2, v6.l\n"
                            "v_dot2_bf16_bf16 v14.l, v3, v4, v6.h\n"
                            "v_dual_dot2acc_f32_bf16 v15, v3, v4 :: v_dual_mov_b32 v16, v5\n"
                            "v_dot2acc_f32_f16 v17, v1, v2\n");
  snippet.vector(1, halves[0]).vector(2, halves[1]).vector(3, brains[0]).vector(4, brains[1]);
  snippet.vector(5, single(100)).vector(6, 0x4200u | brain(7) << 16); // 3 as a half
  snippet.vector(13, 0xaaaabbbb).vector(14, 0xaaaabbbb).vector(15, single(1)).vector(17, single(2));
  snippet.wantVectors(10, 8);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(10)[5], single(114));
  EXPECT_EQ(snippet.vectorOut(11)[5], single(114));
  EXPECT_EQ(snippet.vectorOut(12)[5], single(100 - 14));
  EXPECT_EQ(snippet.vectorOut(13)[5], 0x4c40bbbbu); // 17
  EXPECT_EQ(snippet.vectorOut(14)[5], 0xaaaa0000u | brain(21));
  EXPECT_EQ(snippet.vectorOut(15)[5], single(15));
  EXPECT_EQ(snippet.vectorOut(17)[5], single(16));
}

TEST(Rdna3Dot, SumsRoundToNearestEvenOnce) {
  // 256 + 1 is a tie in a brain float, which the small second product decides.
  const uint32_t a = brain(1) | brain(0x1p-10f) << 16;
  Snippet snippet = onRdna3("v_dot2_bf16_bf16 v4.l, v1, v2, v3.l\n"
                            "v_dot2_bf16_bf16 v5.l, v6, v2, v3.l\n");
  snippet.vector(1, a).vector(6, brain(1)).vector(2, brain(1) | brain(1) << 16);
  snippet.vector(3, brain(256)).vector(4, 0).vector(5, 0).wantVectors(4, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(5)[0], brain(256));
  EXPECT_EQ(snippet.vectorOut(4)[0], brain(258));
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

TEST(Rdna3Memory, LocalWordsAreComparedAsNumbers) {
  Snippet snippet = onRdna3("ds_store_b32 v1, v2\nds_store_b64 v1, v[6:7] offset:8\n"
                            "ds_cmpstore_rtn_f32 v10, v1, v3, v4\n"
                            "ds_cmpstore_f64 v1, v[12:13], v[6:7] offset:8\n"
                            "ds_load_b32 v11, v1\nds_load_b64 v[14:15], v1 offset:8\n"
                            "v_mov_b32 v20, v2\nds_store_addtid_b32 v20 offset:64\n"
                            "ds_load_addtid_b32 v21 offset:64\n"
                            "ds_storexchg_2addr_rtn_b32 v[22:23], v1, v3, v4 offset1:1\n");
  snippet.vector(1, 0).vector(2, single(-0.0f)).vector(3, single(9)).vector(4, single(0.0f));
  snippet.vector(6, 0).vector(7, 0x7ff80000).vector(12, 1).vector(13, 2); // a NaN equals nothing
  snippet.ldsBytes(512).exec(1).wantVectors(10, 2).wantVectors(14, 2).wantVectors(21, 3);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(10)[0], single(-0.0f));
  EXPECT_EQ(snippet.vectorOut(11)[0], single(9));
  EXPECT_EQ(snippet.vectorOut(14)[0], 0u);
  EXPECT_EQ(snippet.vectorOut(15)[0], 0x7ff80000u);
  EXPECT_EQ(snippet.vectorOut(21)[0], single(-0.0f));
  EXPECT_EQ(snippet.vectorOut(22)[0], single(9));
  EXPECT_EQ(snippet.vectorOut(23)[0], 0u);
}

TEST(Rdna3Refusals, NameWhatIsNotModelled) {
  struct Refused {
    const char* text;
    const char* why;
  };
  constexpr Refused kRefused[] = {
      {"v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]", "WMMA"},
      {"image_load v0, v1, s[4:11] dmask:0x1 dim:SQ_RSRC_IMG_1D", "images"},
      {"exp mrt0 v0, v0, v0, v0 done", "graphics"},
      {"buffer_load_d16_format_x v1, off, s[4:7], 0", "data format"},
  };
  for (const Refused& refused : kRefused) {
    Snippet snippet = onRdna3(refused.text);
    ASSERT_FALSE(snippet.run()) << refused.text;
    EXPECT_EQ(snippet.fault().kind, Fault::Kind::Unsupported) << snippet.fault().message;
    EXPECT_NE(snippet.fault().message.find(refused.why), std::string::npos)
        << snippet.fault().message;
  }
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
