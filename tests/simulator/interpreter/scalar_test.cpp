// Scalar arithmetic and control flow against host arithmetic.
#include <gtest/gtest.h>

#include "snippet.h"

namespace gpusim::test {
namespace {

TEST(ScalarAlu, AddWithCarryPropagatesIntoTheUpperHalf) {
  Snippet snippet("s_add_u32 s4, s0, s2\ns_addc_u32 s5, s1, s3");
  snippet.scalar(0, 0xffffffff).scalar(1, 7).scalar(2, 1).scalar(3, 5).wantScalars(4, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.scalarPairOut(4), 0xd00000000u);
  EXPECT_EQ(snippet.sccOut(), 0u);
}

TEST(Control, LoopRunsItsTripCount) {
  Snippet snippet("s_mov_b32 s4, 0\n"
                  "loop:\n"
                  "s_add_u32 s4, s4, 3\n"
                  "s_sub_u32 s0, s0, 1\n"
                  "s_cmp_lg_u32 s0, 0\n"
                  "s_cbranch_scc1 loop\n");
  snippet.scalar(0, 1000).wantScalars(4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.scalarOut(4), 3000u);
}

TEST(Control, UnknownInstructionIsNamedWithItsAddress) {
  Snippet snippet("v_mqsad_u32_u8 v[0:3], v[4:5], v6, v[8:11]");
  ASSERT_FALSE(snippet.run());
  EXPECT_EQ(snippet.fault().kind, Fault::Kind::Unsupported);
  EXPECT_NE(snippet.fault().message.find("v_mqsad_u32_u8"), std::string::npos)
      << snippet.fault().message;
  EXPECT_NE(snippet.fault().message.find("pc 0x7f0000000"), std::string::npos)
      << snippet.fault().message;
}

TEST(Control, BytesThatAreNoInstructionAreIllegal) {
  Snippet snippet(".long 0xffffffff");
  ASSERT_FALSE(snippet.run());
  EXPECT_EQ(snippet.fault().kind, Fault::Kind::IllegalInstruction) << snippet.fault().message;
}

TEST(VectorInteger, OnlyLanesInExecAreWritten) {
  Lanes first;
  for (unsigned lane = 0; lane < 64; ++lane) {
    first[lane] = lane * 0x01010101u;
  }
  constexpr uint64_t kMask = 0x8000000100f00001;
  Snippet snippet("v_add_u32 v2, v1, 5");
  snippet.vector(1, first).vector(2, 0xabcdef01).exec(kMask).wantVectors(2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const bool active = (kMask >> lane & 1) != 0;
    EXPECT_EQ(snippet.vectorOut(2)[lane], active ? first[lane] + 5 : 0xabcdef01u) << lane;
  }
}

} // namespace
} // namespace gpusim::test
