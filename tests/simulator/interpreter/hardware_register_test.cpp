// Registers of the wave's hardware, and flags as operands.
#include <gtest/gtest.h>

#include "edge_values.h"

namespace gpusim::test {
namespace {

TEST(HardwareRegister, StatusFollowsSccExecAndVcc) {
  Snippet snippet("s_mov_b64 vcc, 0\ns_cmp_eq_u32 0, 0\ns_getreg_b32 s4, hwreg(HW_REG_STATUS)\n"
                  "s_mov_b64 vcc, 1\ns_cmp_eq_u32 0, 1\ns_mov_b64 exec, 0\n"
                  "s_getreg_b32 s5, hwreg(HW_REG_STATUS)\n");
  snippet.wantScalars(4, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  constexpr uint32_t kFlags = 1u | 1u << 9 | 1u << 10;
  EXPECT_EQ(snippet.scalarOut(4) & kFlags, 1u | 1u << 10);
  EXPECT_EQ(snippet.scalarOut(5) & kFlags, 1u << 9);
}

TEST(HardwareRegister, MemoryBasesAreThoseOfTheApertures) {
  Snippet snippet("s_getreg_b32 s4, hwreg(HW_REG_SH_MEM_BASES, 16, 16)\n"
                  "s_getreg_b32 s5, hwreg(HW_REG_SH_MEM_BASES, 0, 16)\n");
  snippet.wantScalars(4, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.scalarOut(4), Snippet::kSharedAperture >> 48);
  EXPECT_EQ(snippet.scalarOut(5), Snippet::kPrivateAperture >> 48);
}

TEST(HardwareRegister, FieldsOfThirtyTwoBitsAndOne) {
  Snippet snippet(
      "s_getreg_b32 s4, hwreg(HW_REG_MODE)\ns_getreg_b32 s5, hwreg(HW_REG_MODE, 9, 1)\n");
  snippet.wantScalars(4, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.scalarOut(4), 0x3f0u);
  EXPECT_EQ(snippet.scalarOut(5), 1u);
}

TEST(HardwareRegister, WhatIsNotModelledIsRefusedByNumber) {
  for (const char* text :
       {"s_getreg_b32 s4, hwreg(HW_REG_GPR_ALLOC)\n", "s_getreg_b32 s4, hwreg(20)\n",
        "s_setreg_b32 hwreg(HW_REG_TRAPSTS), s4\n"}) {
    Snippet snippet(text);
    ASSERT_FALSE(snippet.run()) << text;
    EXPECT_EQ(snippet.fault().kind, Fault::Kind::Unsupported) << snippet.fault().message;
    EXPECT_NE(snippet.fault().message.find("hwreg"), std::string::npos) << snippet.fault().message;
  }
}

TEST(ZeroFlags, AreReadAsOperandsWhenTheInstructionRuns) {
  Snippet snippet("s_mov_b64 vcc, 0\ns_mov_b32 s4, src_vccz\ns_mov_b32 s5, src_execz\n"
                  "s_mov_b64 vcc, 4\ns_mov_b64 exec, 0\ns_add_u32 s6, src_vccz, 6\n"
                  "s_add_u32 s7, src_execz, 6\ns_mov_b64 exec, -1\nv_mov_b32 v4, src_vccz\n"
                  "s_mov_b64 vcc, 0\nv_add_u32 v5, src_vccz, v1\n");
  const Lanes values = edgeLanes(95);
  snippet.vector(1, values).wantScalars(4, 4).wantVectors(4, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.scalarOut(4), 1u);
  EXPECT_EQ(snippet.scalarOut(5), 0u);
  EXPECT_EQ(snippet.scalarOut(6), 6u);
  EXPECT_EQ(snippet.scalarOut(7), 7u);
  EXPECT_EQ(snippet.vectorOut(4)[3], 0u);
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(snippet.vectorOut(5)[lane], values[lane] + 1);
  }
}

} // namespace
} // namespace gpusim::test
