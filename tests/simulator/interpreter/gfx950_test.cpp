// Integer, lane and ordering operations that gfx950 adds.
#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "edge_values.h"

namespace gpusim::test {
namespace {

Snippet onGfx950(const std::string& text) {
  Snippet snippet(text);
  snippet.processor("gfx950");
  return snippet;
}

TEST(Gfx950Bits, AnyFunctionOfThreeBits) {
  const Lanes a = edgeLanes(1), b = edgeLanes(2), c = edgeLanes(3);
  for (const unsigned table : {0x00u, 0x01u, 0x6cu, 0x96u, 0xe8u, 0x80u, 0xffu, 0x35u}) {
    Snippet snippet =
        onGfx950(fmt::format("v_bitop3_b32 v4, v1, v2, v3 bitop3:{0:#x}\n"
                             "v_bitop3_b16 v5, v1, v2, v3 bitop3:{0:#x} op_sel:[1,0,1,1]\n"
                             "v_bitop3_b32 v6, v1, s4, 7 bitop3:{0:#x}\n",
                             table));
    snippet.vector(1, a).vector(2, b).vector(3, c).vector(5, 0xaaaabbbb).scalar(4, 0x1234abcd);
    snippet.exec(~uint64_t{0} >> 1).vector(4, 9).wantVectors(4, 3);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    const auto expected = [&](uint32_t x, uint32_t y, uint32_t z) {
      uint32_t result = 0;
      for (unsigned bit = 0; bit < 32; ++bit) {
        const unsigned index = (x >> bit & 1) << 2 | (y >> bit & 1) << 1 | (z >> bit & 1);
        result |= (table >> index & 1) << bit;
      }
      return result;
    };
    for (unsigned lane = 0; lane < 63; ++lane) {
      EXPECT_EQ(snippet.vectorOut(4)[lane], expected(a[lane], b[lane], c[lane])) << table;
      EXPECT_EQ(snippet.vectorOut(5)[lane],
                0xbbbbu | expected(a[lane] >> 16, b[lane], c[lane] >> 16) << 16)
          << table;
      EXPECT_EQ(snippet.vectorOut(6)[lane], expected(a[lane], 0x1234abcd, 7)) << table;
    }
    EXPECT_EQ(snippet.vectorOut(4)[63], 9u);
  }
}

TEST(Gfx950Bits, ShiftedIntegersSaturateIntoBytes) {
  const Lanes a = edgeLanes(4), b = edgeLanes(5), c = edgeLanes(6);
  Snippet snippet = onGfx950("v_ashr_pk_i8_i32 v4, v1, v2, v3\n"
                             "v_ashr_pk_u8_i32 v5, v1, v2, v3 op_sel:[0,0,0,1]\n");
  snippet.vector(1, a).vector(2, b).vector(3, c).vector(4, 0xaaaabbbb).vector(5, 0xaaaabbbb);
  snippet.wantVectors(4, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const auto byte = [&](uint32_t value, int64_t low, int64_t high) {
      const int64_t wide = static_cast<int32_t>(value);
      const auto divisor = static_cast<double>(int64_t{1} << c[lane] % 32);
      const auto shifted = static_cast<int64_t>(std::floor(static_cast<double>(wide) / divisor));
      return static_cast<uint32_t>(std::clamp(shifted, low, high)) & 0xff;
    };
    EXPECT_EQ(snippet.vectorOut(4)[lane] & 0xffff,
              byte(a[lane], -128, 127) | byte(b[lane], -128, 127) << 8)
        << lane;
    EXPECT_EQ(snippet.vectorOut(5)[lane],
              0xbbbbu | byte(a[lane], 0, 255) << 16 | byte(b[lane], 0, 255) << 24)
        << lane;
  }
}

/// Bit by bit: what falls out at the top comes back at bits 7, 6, 2 and 0.
TEST(Gfx950Bits, PseudorandomStepsFeedBackTheTopBit) {
  const Lanes a = edgeLanes(7);
  Snippet snippet = onGfx950("v_prng_b32 v4, v1\n");
  snippet.vector(1, a).wantVectors(4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const unsigned top = a[lane] >> 31;
    for (unsigned bit = 0; bit < 32; ++bit) {
      const unsigned below = bit == 0 ? 0 : a[lane] >> (bit - 1) & 1;
      const bool tapped = bit == 7 || bit == 6 || bit == 2 || bit == 0;
      EXPECT_EQ(snippet.vectorOut(4)[lane] >> bit & 1, tapped ? below ^ top : below) << lane;
    }
  }
}

TEST(Gfx950Lanes, GroupsOfTwoRegistersChangePlaces) {
  const Lanes a = edgeLanes(8), b = edgeLanes(9);
  for (const unsigned group : {16u, 32u}) {
    Snippet snippet = onGfx950(fmt::format("v_permlane{}_swap_b32 v1, v2\n", group));
    snippet.vector(1, a).vector(2, b).wantVectors(1, 2);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    for (unsigned lane = 0; lane < 64; ++lane) {
      const bool odd = lane / group % 2 == 1;
      EXPECT_EQ(snippet.vectorOut(1)[lane], odd ? b[lane - group] : a[lane]) << group << lane;
      EXPECT_EQ(snippet.vectorOut(2)[lane], odd ? b[lane] : a[lane + group]) << group << lane;
    }
  }
}

TEST(Gfx950Lanes, InactiveLanesGiveNothingUnlessTheyAreReadInAnyCase) {
  const Lanes a = edgeLanes(10), b = edgeLanes(11);
  // Lane 0 is off, its partner 16 is on.
  struct Form {
    const char* modifiers;
    uint32_t expected;
  };
  const Form kForms[] = {{"", a[16]}, {"bound_ctrl:1", 0}, {"fi:1", b[0]}};
  for (const Form& form : kForms) {
    Snippet snippet =
        onGfx950(fmt::format("v_permlane16_swap_b32_e64 v1, v2 {}\n", form.modifiers));
    snippet.vector(1, a).vector(2, b).exec(~uint64_t{1}).wantVectors(1, 2);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    EXPECT_EQ(snippet.vectorOut(1)[16], form.expected) << form.modifiers;
    EXPECT_EQ(snippet.vectorOut(2)[0], b[0]) << form.modifiers; // off: not written
    EXPECT_EQ(snippet.vectorOut(2)[1], a[17]) << form.modifiers;
  }
}

/// NaNs win, and a negative zero is less than a positive one.
TEST(Gfx950Order, LeastAndGreatestOfThreePropagateNans) {
  constexpr uint32_t kValues[] = {0x00000000, 0x80000000, 0x3f800000, 0xbf800000,
                                  0x7f800000, 0xff800000, 0x7fc00001, 0x00000001};
  Lanes a, b, c;
  for (unsigned lane = 0; lane < 64; ++lane) {
    a[lane] = kValues[lane % 8];
    b[lane] = kValues[lane / 8];
    c[lane] = kValues[(lane * 5 + 3) % 8];
  }
  Snippet snippet = onGfx950("v_minimum3_f32 v4, v1, v2, v3\nv_maximum3_f32 v5, v1, -v2, |v3|\n");
  snippet.vector(1, a).vector(2, b).vector(3, c).wantVectors(4, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  const auto isNan = [](uint32_t bits) { return (bits & 0x7fffffff) > 0x7f800000; };
  // Bits in the order of the numbers.
  const auto key = [](uint32_t bits) {
    return (bits & 0x80000000) != 0 ? ~bits : bits | 0x80000000;
  };
  for (unsigned lane = 0; lane < 64; ++lane) {
    const uint32_t sources[] = {a[lane], b[lane], c[lane]};
    const uint32_t changed[] = {a[lane], b[lane] ^ 0x80000000, c[lane] & 0x7fffffff};
    const auto less = [&](uint32_t x, uint32_t y) { return key(x) < key(y); };
    if (std::any_of(std::begin(sources), std::end(sources), isNan)) {
      EXPECT_TRUE(isNan(snippet.vectorOut(4)[lane])) << lane;
      EXPECT_TRUE(isNan(snippet.vectorOut(5)[lane])) << lane;
    } else {
      EXPECT_EQ(snippet.vectorOut(4)[lane],
                *std::min_element(std::begin(sources), std::end(sources), less))
          << lane;
      EXPECT_EQ(snippet.vectorOut(5)[lane],
                *std::max_element(std::begin(changed), std::end(changed), less))
          << lane;
    }
  }
}

TEST(Gfx950Order, PackedHalvesAreOrderedEach) {
  Snippet snippet = onGfx950("v_pk_minimum3_f16 v4, v1, v2, v3\n"
                             "v_pk_maximum3_f16 v5, v1, v2, v3 neg_lo:[0,0,1]\n"
                             "v_pk_minimum3_f16 v6, v1, v2, v7\n");
  snippet.vector(1, 0x3c004000).vector(2, 0xbc004200).vector(3, 0x44004400).vector(7, 0x7e018000);
  snippet.wantVectors(4, 3);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(4)[0], 0xbc004000u); // -1 and 2
  EXPECT_EQ(snippet.vectorOut(5)[0], 0x44004200u); // 4 and 3
  EXPECT_EQ(snippet.vectorOut(6)[0], 0x7e018000u); // a NaN and -0
}

} // namespace
} // namespace gpusim::test
