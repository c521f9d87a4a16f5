// What waves and lanes share beyond plain memory: barriers of whole dispatches, counters and float
// sums in LDS, the rarer swizzles, atomics and unaligned accesses of private memory.
#include <bit>
#include <cstring>

#include <gtest/gtest.h>

#include "edge_values.h"

namespace gpusim::test {
namespace {

constexpr uint64_t kData = Snippet::kData;

Lanes laneNumbers(uint32_t scale) {
  Lanes lanes;
  for (uint32_t lane = 0; lane < 64; ++lane) {
    lanes[lane] = lane * scale;
  }
  return lanes;
}

TEST(GlobalWaveSync, LastWaveOpensTheBarrierAndSetsItUpAgain) {
  Snippet snippet("s_mov_b32 m0, 0x20000\nds_gws_init v2 offset:3 gds\n"
                  "ds_gws_barrier v4 offset:3 gds\ns_mov_b32 s4, 77\n");
  snippet.vector(2, 0).vector(4, 9).wantScalars(4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.scalarOut(4), 77u);
  EXPECT_EQ(snippet.waveSync.missing[5], 9u); // M0 and the offset add up
}

TEST(GlobalWaveSync, BarrierThatNobodyElseReachesIsAFault) {
  Snippet snippet("s_mov_b32 m0, 0\nds_gws_init v2 gds\nds_gws_barrier v2 gds\n");
  snippet.vector(2, 1);
  ASSERT_FALSE(snippet.run());
  EXPECT_NE(snippet.fault().message.find("no other wave can reach"), std::string::npos)
      << snippet.fault().message;
}

TEST(LocalCounter, ActiveLanesAreCountedInAndOut) {
  Snippet snippet("ds_write_b32 v1, v2 offset:16\ns_mov_b32 m0, 8\nds_append v4 offset:8\n"
                  "ds_consume v5 offset:8\nds_read_b32 v6, v1 offset:16\n"
                  "s_mov_b64 exec, 7\nds_append v7 offset:8\nds_read_b32 v8, v1 offset:16\n");
  snippet.vector(1, 0).vector(2, 100).vector(4, 1).vector(7, 2).ldsBytes(512).exec(0xff00f);
  snippet.wantVectors(4, 5);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(4)[0], 100u);
  EXPECT_EQ(snippet.vectorOut(4)[4], 1u); // not in EXEC
  EXPECT_EQ(snippet.vectorOut(5)[12], 112u);
  EXPECT_EQ(snippet.vectorOut(6)[0], 100u);
  EXPECT_EQ(snippet.vectorOut(7)[2], 100u);
  EXPECT_EQ(snippet.vectorOut(8)[1], 103u);
}

TEST(LocalFloatSum, DenormalsFollowTheMode) {
  const uint32_t one = std::bit_cast<uint32_t>(1.0f);
  const std::string text = "ds_write_b32 v1, v2\nds_add_f32 v1, v2\nds_read_b32 v4, v1\n"
                           "ds_add_rtn_f32 v5, v1, v3\nds_read_b32 v6, v1\n";
  const Lanes values = [&] {
    Lanes lanes;
    lanes.fill(5); // a denormal
    lanes[1] = one;
    return lanes;
  }();
  for (const bool flush : {false, true}) {
    Snippet snippet((flush ? "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0\n" : "") + text);
    snippet.vector(1, laneNumbers(4)).vector(2, values).vector(3, one).ldsBytes(512);
    snippet.wantVectors(4, 3);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    EXPECT_EQ(snippet.vectorOut(4)[0], flush ? 0u : 10u);
    EXPECT_EQ(snippet.vectorOut(4)[1], std::bit_cast<uint32_t>(2.0f));
    EXPECT_EQ(snippet.vectorOut(5)[1], std::bit_cast<uint32_t>(2.0f));
    EXPECT_EQ(snippet.vectorOut(6)[1], std::bit_cast<uint32_t>(3.0f));
  }
}

TEST(Swizzle, RotationAndFourierOrderStayWithin32Lanes) {
  Snippet snippet("ds_swizzle_b32 v4, v1 offset:swizzle(ROTATE,0,3)\n"
                  "ds_swizzle_b32 v5, v1 offset:swizzle(ROTATE,1,3)\n"
                  "ds_swizzle_b32 v6, v1 offset:swizzle(FFT,0)\n"
                  "ds_swizzle_b32 v7, v1 offset:swizzle(FFT,31)\n");
  snippet.vector(1, laneNumbers(1)).wantVectors(4, 4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  const uint32_t reversed[8] = {0, 16, 8, 24, 4, 20, 12, 28};
  for (uint32_t lane = 0; lane < 64; ++lane) {
    const uint32_t half = lane & 32;
    EXPECT_EQ(snippet.vectorOut(4)[lane], half + (lane + 3) % 32);
    EXPECT_EQ(snippet.vectorOut(5)[lane], half + (lane + 29) % 32);
    EXPECT_EQ(snippet.vectorOut(7)[lane], lane);
    if (lane % 32 < 8) {
      EXPECT_EQ(snippet.vectorOut(6)[lane], half + reversed[lane % 32]);
    }
  }
}

TEST(PrivateAtomic, WideValuesInTwoPiecesAreOneValue) {
  const uint32_t aperture = Snippet::kPrivateAperture >> 32;
  Snippet snippet("s_mov_b64 flat_scratch, s[2:3]\n"
                  "flat_store_dwordx2 v[2:3], v[4:5]\n"
                  "flat_atomic_add_x2 v[8:9], v[2:3], v[6:7] glc\n"
                  "flat_load_dwordx2 v[10:11], v[2:3]\n");
  snippet.scalar(2, static_cast<uint32_t>(kData)).scalar(3, kData >> 32);
  snippet.vector(2, 64).vector(3, aperture).vector(4, 0xffffffff).vector(5, laneNumbers(1));
  snippet.vector(6, 2).vector(7, 1).wantVectors(8, 4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (uint32_t lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(snippet.vectorOut(8)[lane], 0xffffffffu);
    EXPECT_EQ(snippet.vectorOut(9)[lane], lane);
    EXPECT_EQ(snippet.vectorOut(10)[lane], 1u);
    EXPECT_EQ(snippet.vectorOut(11)[lane], lane + 2);
  }
}

TEST(PrivateMemory, UnalignedBufferAccessStaysInItsLane) {
  Snippet snippet("s_mov_b32 s4, s60\ns_mov_b32 s5, 0x80007f00\ns_mov_b32 s6, 0x10000\n"
                  "s_mov_b32 s7, 0x00e27000\n"
                  "buffer_store_dword v2, off, s[4:7], 0 offset:8\n"
                  "buffer_store_dword v1, off, s[4:7], 0 offset:10\n"
                  "buffer_load_dword v4, off, s[4:7], 0 offset:10\n"
                  "buffer_load_dword v5, off, s[4:7], 0 offset:8\n"
                  "buffer_load_ushort v6, off, s[4:7], 0 offset:11\n");
  const Lanes words = edgeLanes(3);
  snippet.vector(1, words).vector(2, 0x55667788).wantVectors(4, 3);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(4), words);
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(snippet.vectorOut(5)[lane], 0x7788u | words[lane] << 16) << lane;
    EXPECT_EQ(snippet.vectorOut(6)[lane], words[lane] >> 8 & 0xffff) << lane;
  }
}

TEST(GlobalAtomic, PackedHalvesAddWithoutCarryBetweenThem) {
  Snippet snippet("global_store_dword v1, v2, s[60:61]\n"
                  "global_atomic_pk_add_f16 v1, v3, s[60:61]\n");
  snippet.vector(1, laneNumbers(4)).vector(2, 0xbc003c00).vector(3, 0x40004200); // -1, 1; 2, 3
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.memory.read<uint32_t>(kData + 4 * 63), 0x3c004400u); // 1, 4
}

class OlderProcessor : public testing::TestWithParam<const char*> {};

TEST_P(OlderProcessor, RunsWhatAllOfGfx9Shares) {
  Snippet snippet("v_add_u32 v4, v0, v1\nglobal_atomic_add v1, v4, s[60:61]\n");
  snippet.processor(GetParam()).vector(1, 0).wantVectors(4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(4), laneNumbers(1));
  EXPECT_EQ(snippet.memory.read<uint32_t>(kData), 2016u);
}

TEST_P(OlderProcessor, NewerInstructionsAreIllegal) {
  Snippet snippet(".long 0xd3b04000, 0x1c020100 ; v_pk_fma_f32 of gfx90a\n");
  snippet.processor(GetParam());
  ASSERT_FALSE(snippet.run());
  EXPECT_EQ(snippet.fault().kind, Fault::Kind::IllegalInstruction) << snippet.fault().message;
}

INSTANTIATE_TEST_SUITE_P(All, OlderProcessor, testing::Values("gfx906", "gfx908"));

TEST(AccumulationRegisters, AreReadAndWrittenOnGfx908) {
  Snippet snippet("v_accvgpr_write_b32 a3, v1\nv_accvgpr_read_b32 v4, a3\n"
                  "v_accvgpr_write_b32 a4, 0\nv_accvgpr_write_b32 a5, 0\n"
                  "v_accvgpr_write_b32 a6, 0\nv_accvgpr_write_b32 a7, 0\n"
                  "v_mfma_f32_16x16x4f32 a[4:7], v2, v2, a[4:7]\n"
                  "v_accvgpr_read_b32 v5, a4\n");
  snippet.processor("gfx908").vector(1, laneNumbers(7));
  snippet.vector(2, std::bit_cast<uint32_t>(1.5f)).wantVectors(4, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(4), laneNumbers(7));
  EXPECT_EQ(snippet.vectorOut(5)[17], std::bit_cast<uint32_t>(9.0f));
}

} // namespace
} // namespace gpusim::test
