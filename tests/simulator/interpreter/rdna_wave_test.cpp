// RDNA's waves of 32 lanes: lane masks in one scalar register, what becomes of the upper halves,
// comparisons that write EXEC only, `null`, mode instructions and private memory.
#include <gtest/gtest.h>

#include "edge_values.h"

namespace gpusim::test {
namespace {

constexpr uint32_t kMasks32[] = {~0u, 1u << 19, 0x8000f0f1, 0};

Snippet onRdna(std::string text, unsigned lanes) {
  Snippet snippet(std::move(text));
  snippet.processor("gfx1030").lanes(lanes);
  return snippet;
}

TEST(RdnaWave, ComparisonOf32LanesWritesOneRegister) {
  const Lanes a = edgeLanes(1);
  const Lanes b = edgeLanes(2);
  for (const uint32_t mask : kMasks32) {
    Snippet snippet = onRdna("s_mov_b32 vcc_hi, 0x1234\ns_mov_b32 s5, 77\n"
                             "v_cmp_lt_u32_e32 vcc_lo, v1, v2\nv_cmp_ge_i32_e64 s4, v1, v2\n",
                             32);
    snippet.vector(1, a).vector(2, b).exec(mask).wantScalars(4, 2);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    uint32_t less = 0;
    uint32_t signedNotLess = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
      less |= static_cast<uint32_t>(a[lane] < b[lane]) << lane;
      signedNotLess |=
          static_cast<uint32_t>(static_cast<int32_t>(a[lane]) >= static_cast<int32_t>(b[lane]))
          << lane;
    }
    EXPECT_EQ(snippet.vccOut(), uint64_t{0x1234} << 32 | (less & mask));
    EXPECT_EQ(snippet.scalarOut(4), signedNotLess & mask);
    EXPECT_EQ(snippet.scalarOut(5), 77u);
  }
}

TEST(RdnaWave, ComparisonOf64LanesWritesTwoRegisters) {
  const Lanes a = edgeLanes(3);
  const Lanes b = edgeLanes(4);
  for (const uint64_t mask : kMasks) {
    Snippet snippet = onRdna("v_cmp_lt_u32_e64 s[4:5], v1, v2\n", 64);
    snippet.vector(1, a).vector(2, b).exec(mask).wantScalars(4, 2);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    uint64_t less = 0;
    for (unsigned lane = 0; lane < 64; ++lane) {
      less |= static_cast<uint64_t>(a[lane] < b[lane]) << lane;
    }
    EXPECT_EQ(snippet.scalarPairOut(4), less & mask);
  }
}

TEST(RdnaWave, ComparisonIntoExecWritesNothingElse) {
  const Lanes a = edgeLanes(5);
  const Lanes b = edgeLanes(6);
  for (const unsigned lanes : {32u, 64u}) {
    for (const uint64_t mask : kMasks) {
      Snippet snippet = onRdna("s_mov_b32 vcc_lo, 5\ns_mov_b32 vcc_hi, 6\n"
                               "v_cmpx_gt_u32_e32 v1, v2\ns_mov_b64 s[4:5], exec\n",
                               lanes);
      snippet.vector(1, a).vector(2, b).exec(mask).wantScalars(4, 2);
      ASSERT_TRUE(snippet.run()) << snippet.fault().message;
      uint64_t greater = lanes == 32 ? mask >> 32 << 32 : 0; // EXEC_HI stays
      for (unsigned lane = 0; lane < lanes; ++lane) {
        greater |= static_cast<uint64_t>(a[lane] > b[lane] && (mask >> lane & 1) != 0) << lane;
      }
      EXPECT_EQ(snippet.scalarPairOut(4), greater);
      EXPECT_EQ(snippet.vccOut(), uint64_t{6} << 32 | 5);
    }
  }
}

TEST(RdnaWave, FloatComparisonsAndClassesIntoExec) {
  Snippet snippet = onRdna("v_cmpx_u_f32_e32 v1, v1\ns_mov_b32 s4, exec_lo\ns_mov_b32 exec_lo, -1\n"
                           "v_cmpx_class_f32_e64 v1, 0x204\ns_mov_b32 s5, exec_lo\n"
                           "s_mov_b32 exec_lo, -1\n",
                           32);
  Lanes values{};
  values[3] = 0x7fc00000; // a NaN
  values[4] = 0x7f800000; // infinities, bits 9 and 2 of the class
  values[5] = 0xff800000;
  snippet.vector(1, values).wantScalars(4, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.scalarOut(4), 1u << 3);
  EXPECT_EQ(snippet.scalarOut(5), 3u << 4);
}

TEST(RdnaWave, ExecHighHasNoLanesIn32) {
  Snippet snippet = onRdna("s_mov_b32 exec_hi, -1\ns_mov_b32 exec_lo, 0\nv_mov_b32 v3, 9\n"
                           "s_cbranch_execz taken\ns_mov_b32 s4, 1\ntaken:\n",
                           32);
  snippet.vector(3, 4).scalar(4, 0).wantVectors(3).wantScalars(4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.scalarOut(4), 0u);
  EXPECT_EQ(snippet.vectorOut(3)[0], 4u);
}

TEST(RdnaWave, BranchOnVccIgnoresTheUpperHalfIn32) {
  Snippet snippet = onRdna("s_mov_b32 vcc_lo, 0\ns_mov_b32 vcc_hi, 1\ns_cbranch_vccnz wrong\n"
                           "s_mov_b32 s4, 3\nwrong:\n",
                           32);
  snippet.scalar(4, 0).wantScalars(4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.scalarOut(4), 3u);
}

TEST(RdnaWave, SaveExecOf32Bits) {
  struct Case {
    const char* mnemonic;
    uint32_t (*combine)(uint32_t source, uint32_t exec);
  };
  constexpr Case kCases[] = {
      {"s_and_saveexec_b32", [](uint32_t s, uint32_t e) { return s & e; }},
      {"s_or_saveexec_b32", [](uint32_t s, uint32_t e) { return s | e; }},
      {"s_xor_saveexec_b32", [](uint32_t s, uint32_t e) { return s ^ e; }},
      {"s_andn2_saveexec_b32", [](uint32_t s, uint32_t e) { return s & ~e; }},
      {"s_orn2_saveexec_b32", [](uint32_t s, uint32_t e) { return s | ~e; }},
      {"s_nand_saveexec_b32", [](uint32_t s, uint32_t e) { return ~(s & e); }},
      {"s_nor_saveexec_b32", [](uint32_t s, uint32_t e) { return ~(s | e); }},
      {"s_xnor_saveexec_b32", [](uint32_t s, uint32_t e) { return ~(s ^ e); }},
      {"s_andn1_saveexec_b32", [](uint32_t s, uint32_t e) { return ~s & e; }},
      {"s_orn1_saveexec_b32", [](uint32_t s, uint32_t e) { return ~s | e; }},
  };
  for (const Case& each : kCases) {
    for (const uint32_t source : {0u, 0xf0f0f0f0u, ~0u}) {
      Snippet snippet = onRdna(std::string(each.mnemonic) + " s4, s2\n", 32);
      snippet.exec(0xff0000ff).scalar(2, source).scalar(5, 99).wantScalars(4, 2);
      ASSERT_TRUE(snippet.run()) << snippet.fault().message;
      const uint32_t expected = each.combine(source, 0xff0000ff);
      EXPECT_EQ(static_cast<uint32_t>(snippet.execOut()), expected) << each.mnemonic;
      EXPECT_EQ(snippet.scalarOut(4), 0xff0000ffu) << each.mnemonic;
      EXPECT_EQ(snippet.scalarOut(5), 99u) << each.mnemonic;
      EXPECT_EQ(snippet.sccOut(), expected != 0 ? 1u : 0u) << each.mnemonic;
    }
  }
}

TEST(RdnaWave, CarriesGoThroughOneRegisterOrNull) {
  const Lanes a = edgeLanes(7);
  const Lanes b = edgeLanes(8);
  const Lanes c = edgeLanes(9);
  Snippet snippet = onRdna("v_add_co_u32 v4, s4, v1, v2\nv_add_co_ci_u32_e64 v5, null, v3, v2, s4\n"
                           "v_sub_co_u32 v6, vcc_lo, v1, v2\n"
                           "v_sub_co_ci_u32_e32 v7, vcc_lo, v3, v2, vcc_lo\n"
                           "v_cndmask_b32_e64 v8, v1, v2, s4\n",
                           32);
  snippet.vector(1, a).vector(2, b).vector(3, c).wantVectors(4, 5).wantScalars(4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  uint32_t carries = 0;
  uint32_t borrows = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const uint64_t sum = uint64_t{a[lane]} + b[lane];
    const bool carry = sum >> 32 != 0;
    const bool borrow = a[lane] < b[lane];
    carries |= static_cast<uint32_t>(carry) << lane;
    borrows |= static_cast<uint32_t>(uint64_t{c[lane]} < uint64_t{b[lane]} + borrow) << lane;
    EXPECT_EQ(snippet.vectorOut(4)[lane], static_cast<uint32_t>(sum));
    EXPECT_EQ(snippet.vectorOut(5)[lane], c[lane] + b[lane] + carry);
    EXPECT_EQ(snippet.vectorOut(6)[lane], a[lane] - b[lane]);
    EXPECT_EQ(snippet.vectorOut(7)[lane], c[lane] - b[lane] - borrow);
    EXPECT_EQ(snippet.vectorOut(8)[lane], carry ? b[lane] : a[lane]);
  }
  EXPECT_EQ(snippet.scalarOut(4), carries);
  EXPECT_EQ(static_cast<uint32_t>(snippet.vccOut()), borrows);
}

TEST(RdnaWave, WideMultiplyAddDropsItsCarryIntoNull) {
  const Lanes a = edgeLanes(10);
  const Lanes b = edgeLanes(11);
  Snippet snippet = onRdna("v_mad_u64_u32 v[4:5], null, v1, v2, 5\n", 32);
  snippet.vector(1, a).vector(2, b).wantVectors(4, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const uint64_t expected = uint64_t{a[lane]} * b[lane] + 5;
    EXPECT_EQ(snippet.vectorOut(4)[lane], static_cast<uint32_t>(expected));
    EXPECT_EQ(snippet.vectorOut(5)[lane], expected >> 32);
  }
}

TEST(RdnaWave, NullReadsAsZeroAndSwallowsResults) {
  Snippet snippet = onRdna("s_mov_b32 null, 7\ns_mov_b32 s4, null\ns_mov_b64 s[6:7], null\n"
                           "s_add_u32 null, s2, s3\ns_addc_u32 s5, 0, 0\n",
                           32);
  snippet.scalar(2, ~0u).scalar(3, 1).scalar(6, 1).scalar(7, 1).wantScalars(4, 4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.scalarOut(4), 0u);
  EXPECT_EQ(snippet.scalarOut(5), 1u); // SCC is written all the same
  EXPECT_EQ(snippet.scalarPairOut(6), 0u);
}

TEST(RdnaWave, LaneNumbersWrapAtTheSizeOfTheWave) {
  Lanes numbers;
  for (uint32_t lane = 0; lane < 64; ++lane) {
    numbers[lane] = 100 + lane;
  }
  for (const unsigned lanes : {32u, 64u}) {
    Snippet snippet = onRdna("v_readlane_b32 s4, v1, s2\nv_writelane_b32 v2, 55, s2\n", lanes);
    snippet.vector(1, numbers).vector(2, 0).scalar(2, 40).wantScalars(4).wantVectors(2);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    EXPECT_EQ(snippet.scalarOut(4), 100 + 40 % lanes);
    EXPECT_EQ(snippet.vectorOut(2)[40 % lanes], 55u);
  }
}

TEST(RdnaWave, RoundAndDenormalModesReplaceTheirFields) {
  Snippet snippet = onRdna("s_round_mode 0x9\ns_denorm_mode 0x5\n"
                           "s_getreg_b32 s4, hwreg(HW_REG_MODE, 0, 8)\n",
                           64);
  snippet.wantScalars(4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.scalarOut(4), 0x59u);
}

TEST(RdnaWave, UnmodelledHardwareRegisterIsRefusedByMessage) {
  Snippet snippet = onRdna("s_getreg_b32 s4, hwreg(HW_REG_GPR_ALLOC)\n", 64);
  ASSERT_FALSE(snippet.run());
  EXPECT_EQ(snippet.fault().kind, Fault::Kind::Unsupported);
  EXPECT_NE(snippet.fault().message.find("HW_REG_GPR_ALLOC"), std::string::npos)
      << snippet.fault().message;
}

TEST(RdnaWave, PrivateMemoryIsReachedThroughTheHardwareRegister) {
  for (const unsigned lanes : {32u, 64u}) {
    Snippet snippet = onRdna("s_setreg_b32 hwreg(HW_REG_FLAT_SCR_LO), s2\n"
                             "s_setreg_b32 hwreg(HW_REG_FLAT_SCR_HI), s3\n"
                             "s_getreg_b32 s4, hwreg(HW_REG_FLAT_SCR_LO)\n"
                             "s_mov_b32 s6, 8\n"
                             "scratch_store_dword off, v1, s6 offset:4\n"
                             "v_mov_b32 v4, 12\nscratch_load_dword v5, v4, off\n"
                             "s_mov_b64 s[8:9], src_private_base\n"
                             "v_mov_b32 v6, 12\nv_mov_b32 v7, s9\n"
                             "flat_load_dword v8, v[6:7]\ns_waitcnt lgkmcnt(0)\n",
                             lanes);
    const uint64_t base = Snippet::kData;
    snippet.vector(1, edgeLanes(12)).scalar(2, static_cast<uint32_t>(base));
    snippet.scalar(3, static_cast<uint32_t>(base >> 32)).wantVectors(5).wantVectors(8);
    snippet.wantScalars(4);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    EXPECT_EQ(snippet.scalarOut(4), static_cast<uint32_t>(base));
    for (unsigned lane = 0; lane < lanes; ++lane) {
      EXPECT_EQ(snippet.vectorOut(5)[lane], edgeLanes(12)[lane]) << lane;
      EXPECT_EQ(snippet.vectorOut(8)[lane], edgeLanes(12)[lane]) << lane;
      // The dwords of as many lanes interleave as the wave has.
      EXPECT_EQ(snippet.memory.read<uint32_t>(base + 12 / 4 * 4 * lanes + 4 * lane),
                edgeLanes(12)[lane]);
    }
  }
}

TEST(RdnaWave, HalvesOfAWaveTakeTurnsInASubvectorLoop) {
  const std::string text = "s_subvector_loop_begin s4, done\nloop:\nv_add_nc_u32 v1, v1, 1\n"
                           "s_add_u32 s6, s6, 1\ns_subvector_loop_end s4, loop\ndone:\n";
  struct Case {
    uint64_t exec;
    uint32_t passes;
  };
  for (const Case& each : {Case{~uint64_t{0}, 2}, Case{0xffff, 1}, Case{uint64_t{0xff} << 32, 1},
                           Case{0, 0}, Case{0x8000000080000000, 2}}) {
    Snippet snippet = onRdna(text, 64);
    snippet.vector(1, 10).scalar(6, 0).exec(each.exec).wantVectors(1).wantScalars(6);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    EXPECT_EQ(snippet.scalarOut(6), each.passes);
    EXPECT_EQ(snippet.execOut(), each.exec);
    for (unsigned lane = 0; lane < 64; ++lane) {
      EXPECT_EQ(snippet.vectorOut(1)[lane], 10 + (each.exec >> lane & 1)) << lane;
    }
  }
}

TEST(RdnaWave, FullWavesOf32AccessNeighbouringMemory) {
  Snippet snippet = onRdna("v_lshlrev_b32 v4, 3, v1\nglobal_store_dwordx2 v4, v[2:3], s[60:61]\n"
                           "global_load_dwordx2 v[6:7], v4, s[60:61]\n"
                           "global_load_dword v8, v4, s[60:61] offset:4 glc dlc\n",
                           32);
  Lanes numbers;
  for (uint32_t lane = 0; lane < 64; ++lane) {
    numbers[lane] = lane;
  }
  snippet.vector(1, numbers).vector(2, edgeLanes(13)).vector(3, edgeLanes(14)).wantVectors(6, 3);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(snippet.vectorOut(6)[lane], edgeLanes(13)[lane]);
    EXPECT_EQ(snippet.vectorOut(7)[lane], edgeLanes(14)[lane]);
    EXPECT_EQ(snippet.vectorOut(8)[lane], edgeLanes(14)[lane]);
  }
  EXPECT_EQ(snippet.memory.read<uint64_t>(Snippet::kData + 8 * 32), 0u); // no further lane
}

} // namespace
} // namespace gpusim::test
