// Packed 16-bit integers and integer dot products against arithmetic in 64 bits.
#include <algorithm>
#include <functional>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "snippet.h"

namespace gpusim::test {
namespace {

using Wide = int64_t;
constexpr uint64_t kSomeLanes = 0x8000f0f1123400c1;
constexpr uint32_t kOld = 0xdeadbeef;

/// Every pair of these words, and random ones: sums and products overflow in all directions.
struct Sources {
  Lanes a, b, c;
};

Sources sources() {
  constexpr uint32_t kEdges[] = {0,          0x00010001, 0x7fff7fff, 0x80008000,
                                 0xffffffff, 0x8000ffff, 0x80808080, 0x88888888};
  std::mt19937 random(11);
  const auto word = [&] { return static_cast<uint32_t>(random()); };
  Sources result;
  for (unsigned lane = 0; lane < 64; ++lane) {
    result.a[lane] = lane % 3 == 2 ? word() : kEdges[lane % 8];
    result.b[lane] = lane % 5 == 4 ? word() : kEdges[lane / 8];
    result.c[lane] = lane % 2 == 0 ? word() : kEdges[(lane / 2) % 8];
  }
  return result;
}

Wide signedPart(uint32_t word, unsigned bits, unsigned index) {
  const Wide limit = Wide{1} << bits;
  const Wide value = (word >> (bits * index)) % static_cast<uint64_t>(limit);
  return value >= limit / 2 ? value - limit : value;
}

Wide unsignedPart(uint32_t word, unsigned bits, unsigned index) {
  return (word >> (bits * index)) % (uint64_t{1} << bits);
}

struct PackedCase {
  const char* mnemonic;
  bool isSigned;
  unsigned arguments;
  bool saturates; ///< has a meaning for clamp
  std::function<Wide(Wide, Wide, Wide)> operation;
};

const PackedCase kPackedCases[] = {
    {"v_pk_add_u16", false, 2, true, [](Wide a, Wide b, Wide) { return a + b; }},
    {"v_pk_add_i16", true, 2, true, [](Wide a, Wide b, Wide) { return a + b; }},
    {"v_pk_sub_u16", false, 2, true, [](Wide a, Wide b, Wide) { return a - b; }},
    {"v_pk_sub_i16", true, 2, true, [](Wide a, Wide b, Wide) { return a - b; }},
    {"v_pk_mad_u16", false, 3, true, [](Wide a, Wide b, Wide c) { return a * b + c; }},
    {"v_pk_mad_i16", true, 3, true, [](Wide a, Wide b, Wide c) { return a * b + c; }},
    {"v_pk_mul_lo_u16", false, 2, false, [](Wide a, Wide b, Wide) { return a * b; }},
    {"v_pk_min_u16", false, 2, false, [](Wide a, Wide b, Wide) { return a < b ? a : b; }},
    {"v_pk_min_i16", true, 2, false, [](Wide a, Wide b, Wide) { return a < b ? a : b; }},
    {"v_pk_max_u16", false, 2, false, [](Wide a, Wide b, Wide) { return a < b ? b : a; }},
    {"v_pk_max_i16", true, 2, false, [](Wide a, Wide b, Wide) { return a < b ? b : a; }},
    {"v_pk_lshlrev_b16", false, 2, false, [](Wide a, Wide b, Wide) { return b << (a % 16); }},
    {"v_pk_lshrrev_b16", false, 2, false, [](Wide a, Wide b, Wide) { return b >> (a % 16); }},
    {"v_pk_ashrrev_i16", true, 2, false, [](Wide a, Wide b, Wide) { return b >> (a & 15); }},
};

uint32_t expectedHalf(const PackedCase& test, const uint32_t (&words)[3], const unsigned (&from)[3],
                      bool clamp) {
  Wide value[3];
  for (unsigned index = 0; index < 3; ++index) {
    value[index] = test.isSigned ? signedPart(words[index], 16, from[index])
                                 : unsignedPart(words[index], 16, from[index]);
  }
  Wide result = test.operation(value[0], value[1], value[2]);
  if (clamp) {
    result = test.isSigned ? std::clamp<Wide>(result, -0x8000, 0x7fff)
                           : std::clamp<Wide>(result, 0, 0xffff);
  }
  return static_cast<uint32_t>(result) & 0xffff;
}

void expectPacked(const PackedCase& test, unsigned opSel, unsigned opSelHi, bool clamp) {
  const Sources in = sources();
  const auto list = [&](unsigned bits) {
    std::string text;
    for (unsigned index = 0; index < test.arguments; ++index) {
      text += fmt::format("{}{}", index == 0 ? "[" : ",", bits >> index & 1);
    }
    return text + "]";
  };
  Snippet snippet(fmt::format("{} v4, v1, v2{} op_sel:{} op_sel_hi:{}{}", test.mnemonic,
                              test.arguments == 3 ? ", v3" : "", list(opSel), list(opSelHi),
                              clamp ? " clamp" : ""));
  snippet.vector(1, in.a).vector(2, in.b).vector(3, in.c).vector(4, kOld);
  snippet.exec(kSomeLanes | 0xffff0000ff).wantVectors(4);
  ASSERT_TRUE(snippet.run()) << test.mnemonic << ": " << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const uint32_t words[] = {in.a[lane], in.b[lane], in.c[lane]};
    const unsigned low[] = {opSel & 1, opSel >> 1 & 1, opSel >> 2 & 1};
    const unsigned high[] = {opSelHi & 1, opSelHi >> 1 & 1, opSelHi >> 2 & 1};
    const bool active = ((kSomeLanes | 0xffff0000ff) >> lane & 1) != 0;
    const uint32_t want =
        expectedHalf(test, words, low, clamp) | expectedHalf(test, words, high, clamp) << 16;
    EXPECT_EQ(snippet.vectorOut(4)[lane], active ? want : kOld)
        << test.mnemonic << " op_sel " << opSel << " op_sel_hi " << opSelHi << " lane " << lane;
  }
}

TEST(PackedInteger, HalvesDoNotInfluenceEachOther) {
  for (const PackedCase& test : kPackedCases) {
    expectPacked(test, 0, 7, false);
  }
}

TEST(PackedInteger, OpSelChoosesTheHalfOfEachSource) {
  for (const PackedCase& test : kPackedCases) {
    expectPacked(test, 1, 2, false);
    expectPacked(test, 6, 1, false);
  }
}

TEST(PackedInteger, ClampSaturatesAtSixteenBits) {
  for (const PackedCase& test : kPackedCases) {
    if (test.saturates) {
      expectPacked(test, 0, 7, true);
    }
  }
}

TEST(PackedInteger, ConstantsAreThirtyTwoBitsWide) {
  Snippet snippet("v_pk_add_u16 v2, v1, 7\n"
                  "v_pk_add_u16 v3, v1, 7 op_sel_hi:[1,0]\n"
                  "v_pk_add_u16 v4, v1, -3\n"
                  "v_pk_add_u16 v5, v1, 1.0\n"
                  "v_pk_add_u16 v6, v1, s3\n");
  snippet.vector(1, 0x10002000).scalar(3, 0x12345678).wantVectors(2, 5);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(2)[9], 0x10002007u);
  EXPECT_EQ(snippet.vectorOut(3)[9], 0x10072007u);
  EXPECT_EQ(snippet.vectorOut(4)[9], 0x0fff1ffdu);
  EXPECT_EQ(snippet.vectorOut(5)[9], 0x4f802000u);
  EXPECT_EQ(snippet.vectorOut(6)[9], 0x22347678u);
}

TEST(PackedInteger, HalvesSaturateToBytes) {
  const Sources in = sources();
  Snippet snippet("v_sat_pk_u8_i16 v2, v1");
  snippet.vector(1, in.a).wantVectors(2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const Wide low = std::clamp<Wide>(signedPart(in.a[lane], 16, 0), 0, 255);
    const Wide high = std::clamp<Wide>(signedPart(in.a[lane], 16, 1), 0, 255);
    EXPECT_EQ(snippet.vectorOut(2)[lane], static_cast<uint32_t>(low | high << 8));
  }
}

struct DotCase {
  const char* mnemonic;
  unsigned bits;
  bool isSigned;
  bool accumulates; ///< into the destination
};

constexpr DotCase kDotCases[] = {
    {"v_dot2_i32_i16", 16, true, false},     {"v_dot2_u32_u16", 16, false, false},
    {"v_dot4_i32_i8", 8, true, false},       {"v_dot4_u32_u8", 8, false, false},
    {"v_dot8_i32_i4", 4, true, false},       {"v_dot8_u32_u4", 4, false, false},
    {"v_dot2c_i32_i16_e64", 16, true, true}, {"v_dot4c_i32_i8_e64", 8, true, true},
    {"v_dot8c_i32_i4_e64", 4, true, true},
};

uint32_t expectedDot(const DotCase& test, uint32_t a, uint32_t b, uint32_t c, bool clamp) {
  Wide sum = test.isSigned ? static_cast<int32_t>(c) : static_cast<Wide>(c);
  for (unsigned index = 0; index < 32 / test.bits; ++index) {
    sum += test.isSigned ? signedPart(a, test.bits, index) * signedPart(b, test.bits, index)
                         : unsignedPart(a, test.bits, index) * unsignedPart(b, test.bits, index);
  }
  if (clamp) {
    sum = test.isSigned ? std::clamp<Wide>(sum, INT32_MIN, INT32_MAX)
                        : std::clamp<Wide>(sum, 0, UINT32_MAX);
  }
  return static_cast<uint32_t>(sum);
}

void expectDot(const DotCase& test, bool clamp) {
  const Sources in = sources();
  Snippet snippet(fmt::format("{} {}, v1, v2{}{}", test.mnemonic, test.accumulates ? "v3" : "v4",
                              test.accumulates ? "" : ", v3", clamp ? " clamp" : ""));
  snippet.vector(1, in.a).vector(2, in.b).vector(3, in.c).vector(4, kOld);
  snippet.exec(kSomeLanes).wantVectors(3, 2);
  ASSERT_TRUE(snippet.run()) << test.mnemonic << ": " << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const bool active = (kSomeLanes >> lane & 1) != 0;
    const uint32_t old = test.accumulates ? in.c[lane] : kOld;
    const uint32_t want = expectedDot(test, in.a[lane], in.b[lane], in.c[lane], clamp);
    EXPECT_EQ(snippet.vectorOut(test.accumulates ? 3 : 4)[lane], active ? want : old)
        << test.mnemonic << " lane " << lane;
  }
}

TEST(IntegerDotProduct, SumsWrapWithoutClamp) {
  for (const DotCase& test : kDotCases) {
    expectDot(test, false);
  }
}

TEST(IntegerDotProduct, ClampSaturatesTheWholeSum) {
  for (const DotCase& test : kDotCases) {
    expectDot(test, true);
  }
}

TEST(IntegerDotProduct, FactorsAreTheChosenHalvesAlsoOfConstants) {
  const Sources in = sources();
  Snippet snippet("v_dot2_i32_i16 v4, v1, v2, v3 op_sel:[1,0,0] op_sel_hi:[0,1,1]\n"
                  "v_dot2_u32_u16 v5, 3, v2, v3 op_sel_hi:[0,1,1] clamp\n"
                  "v_dot2_i32_i16 v6, v1, -2, 1 op_sel:[1,0,0] op_sel_hi:[1,0,1]\n");
  snippet.vector(1, in.a).vector(2, in.b).vector(3, in.c).wantVectors(4, 3);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const uint32_t swapped = in.a[lane] >> 16 | in.a[lane] << 16;
    EXPECT_EQ(snippet.vectorOut(4)[lane],
              expectedDot(kDotCases[0], swapped, in.b[lane], in.c[lane], false));
    EXPECT_EQ(snippet.vectorOut(5)[lane],
              expectedDot(kDotCases[1], 0x00030003, in.b[lane], in.c[lane], true));
    const auto high = static_cast<uint32_t>(signedPart(in.a[lane], 16, 1));
    EXPECT_EQ(snippet.vectorOut(6)[lane], 1u - 4u * high);
  }
}

} // namespace
} // namespace gpusim::test
