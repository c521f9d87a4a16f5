// Arithmetic that RDNA names or rounds otherwise: additions without carry, 16-bit results beside
// the other half of a register, fused multiply-adds with constants, literals in three-operand
// forms.
#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "edge_values.h"
#include "float_reference.h"

namespace gpusim::test {
namespace {

Snippet onRdna(std::string text, unsigned lanes = 32) {
  Snippet snippet(std::move(text));
  snippet.processor("gfx1030").lanes(lanes);
  return snippet;
}

/// Runs `text` on edge values in v1, v2 and v3 and compares v4 with `expected` lane by lane.
template <class Expected>
void check(const std::string& text, const Expected& expected) {
  for (const unsigned lanes : {32u, 64u}) {
    for (const uint64_t mask : kMasks) {
      const Lanes a = edgeLanes(20);
      const Lanes b = edgeLanes(21);
      const Lanes c = edgeLanes(22);
      const Lanes old = edgeLanes(23);
      Snippet snippet = onRdna(text + "\n", lanes);
      snippet.vector(1, a).vector(2, b).vector(3, c).vector(4, old).exec(mask).wantVectors(4);
      ASSERT_TRUE(snippet.run()) << snippet.fault().message;
      for (unsigned lane = 0; lane < lanes; ++lane) {
        const bool active = (mask >> lane & 1) != 0;
        ASSERT_EQ(snippet.vectorOut(4)[lane],
                  active ? expected(a[lane], b[lane], c[lane], old[lane]) : old[lane])
            << text << ", lane " << lane;
      }
    }
  }
}

uint32_t saturatedSigned(int64_t value) {
  return static_cast<uint32_t>(std::clamp<int64_t>(value, INT32_MIN, INT32_MAX));
}
int64_t asSigned(uint32_t value) {
  return static_cast<int32_t>(value);
}

TEST(RdnaInteger, SumsWithoutCarry) {
  using U = uint32_t;
  check("v_add_nc_u32 v4, v1, v2", [](U a, U b, U, U) { return a + b; });
  check("v_sub_nc_u32 v4, v1, v2", [](U a, U b, U, U) { return a - b; });
  check("v_subrev_nc_u32 v4, v1, v2", [](U a, U b, U, U) { return b - a; });
  check("v_add_nc_u32 v4, v1, v2 clamp", [](U a, U b, U, U) { return a + b < a ? ~0u : a + b; });
  check("v_add_nc_i32 v4, v1, v2 clamp",
        [](U a, U b, U, U) { return saturatedSigned(asSigned(a) + asSigned(b)); });
  check("v_sub_nc_i32 v4, v1, v2 clamp",
        [](U a, U b, U, U) { return saturatedSigned(asSigned(a) - asSigned(b)); });
  check("v_xor3_b32 v4, v1, v2, v3", [](U a, U b, U c, U) { return a ^ b ^ c; });
}

TEST(RdnaInteger, ThreeOperandFormsTakeALiteral) {
  using U = uint32_t;
  check("v_add3_u32 v4, v1, 0x12345678, v3", [](U a, U, U c, U) { return a + 0x12345678 + c; });
  check("v_perm_b32 v4, v1, v2, 0x07060100", [](U a, U b, U, U) {
    return (a & 0xffff0000) | (b & 0xffff); // bytes 7 and 6 are of the first source
  });
  check("v_mul_lo_u32 v4, v1, 0x10001", [](U a, U, U, U) { return a * 0x10001u; });
}

uint32_t keepHigh(uint32_t old, uint32_t low) {
  return (old & 0xffff0000) | (low & 0xffff);
}
uint32_t keepLow(uint32_t old, uint32_t high) {
  return (old & 0xffff) | high << 16;
}

TEST(RdnaInteger, SixteenBitResultsLeaveTheOtherHalf) {
  using U = uint32_t;
  check("v_add_nc_u16 v4, v1, v2", [](U a, U b, U, U o) { return keepHigh(o, a + b); });
  check("v_sub_nc_u16 v4, v1, v2", [](U a, U b, U, U o) { return keepHigh(o, a - b); });
  check("v_mul_lo_u16 v4, v1, v2", [](U a, U b, U, U o) { return keepHigh(o, a * b); });
  check("v_lshlrev_b16 v4, v1, v2", [](U a, U b, U, U o) { return keepHigh(o, b << (a & 15)); });
  check("v_ashrrev_i16 v4, v1, v2", [](U a, U b, U, U o) {
    return keepHigh(o, static_cast<U>(static_cast<int16_t>(b) >> (a & 15)));
  });
  check("v_max_i16 v4, v1, v2", [](U a, U b, U, U o) {
    return keepHigh(o, static_cast<U>(std::max(static_cast<int16_t>(a), static_cast<int16_t>(b))));
  });
  check("v_min_u16 v4, v1, v2",
        [](U a, U b, U, U o) { return keepHigh(o, std::min(a & 0xffff, b & 0xffff)); });
}

TEST(RdnaInteger, HalvesAreSelectedInEveryThreeOperandForm) {
  using U = uint32_t;
  check("v_add_nc_u16 v4, v1, v2 op_sel:[1,0,0]",
        [](U a, U b, U, U o) { return keepHigh(o, (a >> 16) + b); });
  check("v_mul_lo_u16 v4, v1, v2 op_sel:[0,1,1]",
        [](U a, U b, U, U o) { return keepLow(o, a * (b >> 16) & 0xffff); });
  check("v_max_u16 v4, v1, v2 op_sel:[1,1,1]",
        [](U a, U b, U, U o) { return keepLow(o, std::max(a >> 16, b >> 16)); });
}

/// Halves whose products and sums are exact in double.
Lanes smallHalves(unsigned salt) {
  std::mt19937 random(salt);
  Lanes lanes;
  for (uint32_t& lane : lanes) {
    const auto half = [&] {
      return static_cast<uint32_t>((random() & 0x83ff) | (13 + random() % 6) << 10);
    };
    lane = half() | half() << 16;
  }
  return lanes;
}

double ofHalf(uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31) - 25;
  const double magnitude = std::ldexp(static_cast<double>((bits & 0x3ff) | 0x400), exponent);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

/// To nearest, for magnitudes that half can hold as normal or denormal numbers.
uint32_t toHalf(double value) {
  const uint32_t sign = std::signbit(value) ? 0x8000 : 0;
  int exponent = 0;
  std::frexp(value, &exponent);
  const int last = std::max(exponent - 11, -24);
  const double units = std::nearbyint(std::ldexp(std::abs(value), -last));
  if (last == -24) {
    return sign | static_cast<uint32_t>(units);
  }
  return sign | ((static_cast<uint32_t>(last + 24) << 10) + static_cast<uint32_t>(units));
}

TEST(RdnaHalf, FusedMultiplyAddKeepsTheOtherHalf) {
  const Lanes a = smallHalves(1);
  const Lanes b = smallHalves(2);
  const Lanes c = smallHalves(3);
  Snippet snippet = onRdna("v_fmac_f16_e32 v4, v1, v2\nv_fmaak_f16 v5, v1, v2, 0x4100\n"
                           "v_fmamk_f16 v6, v1, 0x4100, v3\nv_add_f16_e32 v7, v1, v2\n");
  snippet.vector(1, a).vector(2, b).vector(3, c).vector(4, c).vector(5, c).vector(6, c);
  snippet.vector(7, c).wantVectors(4, 4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const double x = ofHalf(a[lane] & 0xffff);
    const double y = ofHalf(b[lane] & 0xffff);
    const double z = ofHalf(c[lane] & 0xffff);
    EXPECT_EQ(snippet.vectorOut(4)[lane], keepHigh(c[lane], toHalf(x * y + z))) << lane;
    EXPECT_EQ(snippet.vectorOut(5)[lane], keepHigh(c[lane], toHalf(x * y + 2.5))) << lane;
    EXPECT_EQ(snippet.vectorOut(6)[lane], keepHigh(c[lane], toHalf(x * 2.5 + z))) << lane;
    EXPECT_EQ(snippet.vectorOut(7)[lane], keepHigh(c[lane], toHalf(x + y))) << lane;
  }
}

TEST(RdnaFloat, FusedMultiplyAddsWithConstants) {
  const Lanes a = edgeLanes(30);
  const Lanes b = edgeLanes(31);
  Snippet snippet =
      onRdna("v_fmaak_f32 v4, v1, v2, 0x40490fdb\nv_fmamk_f32 v5, v1, 0x40490fdb, v2\n"
             "v_fma_legacy_f32 v6, v1, v2, v3\nv_mov_b32 v7, v3\n"
             "v_fmac_legacy_f32 v7, v1, v2\n");
  const float pi = std::bit_cast<float>(0x40490fdbu);
  Lanes x;
  Lanes y;
  for (unsigned lane = 0; lane < 64; ++lane) { // finite or infinite, never a NaN
    x[lane] = (a[lane] & 0x7f800000) == 0x7f800000 ? 0x7f800000 : a[lane];
    y[lane] = lane % 3 == 0 ? 0 : std::bit_cast<uint32_t>(static_cast<float>(b[lane]) + 1.5f);
  }
  snippet.vector(1, x).vector(2, y).vector(3, std::bit_cast<uint32_t>(0.25f)).wantVectors(4, 4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const auto first = std::bit_cast<float>(x[lane]);
    const auto second = std::bit_cast<float>(y[lane]);
    const float product = first == 0 || second == 0 ? 0.25f : std::fma(first, second, 0.25f);
    const auto result = [&](unsigned index) {
      return std::bit_cast<float>(snippet.vectorOut(index)[lane]);
    };
    if (!std::isinf(first) || second != 0) {
      EXPECT_EQ(result(4), std::fma(first, second, pi)) << lane;
    }
    EXPECT_EQ(result(5), std::fma(first, pi, second)) << lane;
    EXPECT_EQ(result(6), product) << lane;
    EXPECT_EQ(result(7), product) << lane;
  }
}

TEST(RdnaFloat, DivisionStepsUseMasksOfTheWave) {
  Lanes numerators;
  Lanes denominators;
  for (unsigned lane = 0; lane < 64; ++lane) {
    numerators[lane] = std::bit_cast<uint32_t>(1e20f * static_cast<float>(lane + 1));
    denominators[lane] = std::bit_cast<uint32_t>(lane % 2 == 0 ? 3e-10f : 7.0f);
  }
  Snippet snippet = onRdna("v_div_scale_f32 v4, s4, v2, v2, v1\n"
                           "v_div_scale_f32 v5, vcc_lo, v1, v2, v1\ns_mov_b32 s5, vcc_lo\n");
  snippet.vector(1, numerators).vector(2, denominators).wantVectors(4, 2).wantScalars(4, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  // Only the operands of even lanes are far enough apart to be scaled.
  EXPECT_EQ(snippet.scalarOut(5), 0x55555555u);
  for (unsigned lane = 0; lane < 32; ++lane) {
    const auto denominator = std::bit_cast<float>(denominators[lane]);
    EXPECT_EQ(std::bit_cast<float>(snippet.vectorOut(4)[lane]),
              lane % 2 == 0 ? denominator * 0x1p64f : denominator)
        << lane;
  }
}

} // namespace
} // namespace gpusim::test
