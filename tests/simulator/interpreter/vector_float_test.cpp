// Arithmetic of floating-point lanes against exact numbers that are rounded by hand.
#include <bit>

#include <gtest/gtest.h>

#include "float_reference.h"
#include "snippet.h"

namespace gpusim::test {
namespace {

using Values = std::array<Quad, 3>;

ExactNumber product(Quad a, Quad b) {
  return {a * b};
}

const Reference kAdd = rounded(2, [](const Values& v, Round r) { return exactSum(v[0], v[1], r); });
const Reference kSubtract =
    rounded(2, [](const Values& v, Round r) { return exactSum(v[0], -v[1], r); });
const Reference kReversed =
    rounded(2, [](const Values& v, Round r) { return exactSum(v[1], -v[0], r); });
const Reference kMultiply = rounded(2, [](const Values& v, Round) { return product(v[0], v[1]); });
const Reference kFuse =
    rounded(3, [](const Values& v, Round r) { return exactSum(v[0] * v[1], v[2], r); });

/// The product is rounded, and flushed, before the sum.
uint64_t multiplyThenAdd(const Sources& bits, const FloatFormat& format, const FloatMode& mode) {
  for (const uint64_t source : bits) {
    if (format.isNan(source)) {
      return source | format.quiet();
    }
  }
  const uint64_t between =
      flush(encode(product(decode(bits[0], format), decode(bits[1], format)), format, mode.round),
            format, mode);
  return encode(exactSum(decode(between, format), decode(bits[2], format), mode.round), format,
                mode.round);
}

uint64_t legacyProduct(const Sources& bits, const FloatFormat& format, const FloatMode& mode) {
  const bool zero = ((bits[0] & ~format.sign()) == 0) || ((bits[1] & ~format.sign()) == 0);
  return zero ? 0 : kMultiply(bits, format, mode);
}

/// As an integer that is ordered like the numbers, -0 below +0.
int64_t ordered(uint64_t bits, const FloatFormat& format) {
  const auto magnitude = static_cast<int64_t>(bits & (format.sign() - 1));
  return (bits & format.sign()) != 0 ? -magnitude - 1 : magnitude;
}

template <bool kLargest>
uint64_t extreme(uint64_t a, uint64_t b, const FloatFormat& format, const FloatMode& mode) {
  if (mode.ieee && format.isSignalling(a)) {
    return a | format.quiet();
  }
  if (mode.ieee && format.isSignalling(b)) {
    return b | format.quiet();
  }
  if (format.isNan(a) || format.isNan(b)) {
    return format.isNan(a) ? b : a;
  }
  return (ordered(a, format) > ordered(b, format)) == kLargest ? a : b;
}
template <bool kLargest>
uint64_t extremeOfTwo(const Sources& bits, const FloatFormat& format, const FloatMode& mode) {
  return extreme<kLargest>(bits[0], bits[1], format, mode);
}
template <bool kLargest>
uint64_t extremeOfThree(const Sources& bits, const FloatFormat& format, const FloatMode& mode) {
  return extreme<kLargest>(extreme<kLargest>(bits[0], bits[1], format, mode), bits[2], format,
                           mode);
}
/// The larger of what remains without the first that equals the largest (zeros are equal); with a
/// NaN the smallest of the others.
uint64_t median(const Sources& bits, const FloatFormat& format, const FloatMode& mode) {
  for (const uint64_t source : bits) {
    if (format.isNan(source)) {
      return extremeOfThree<false>(bits, format, mode);
    }
  }
  const Quad largest = decode(extremeOfThree<true>(bits, format, mode), format);
  unsigned leftOut = 0;
  while (decode(bits[leftOut], format) != largest) {
    ++leftOut;
  }
  return extreme<true>(bits[leftOut == 0 ? 1 : 0], bits[leftOut == 2 ? 1 : 2], format, mode);
}

Reference integral(Round round) {
  return [round](const Sources& bits, const FloatFormat& format, const FloatMode&) {
    if (format.isNan(bits[0])) {
      return bits[0] | format.quiet();
    }
    const Quad value = decode(bits[0], format);
    const Quad magnitude = value < 0 ? -value : value;
    if (!(magnitude < Quad(uint64_t{1} << 60))) {
      return bits[0];
    }
    const auto whole = static_cast<uint64_t>(magnitude);
    const Quad rest = magnitude - Quad(whole);
    const bool negative = (bits[0] & format.sign()) != 0;
    const bool away = round == Round::Nearest
                          ? rest > Quad(0.5) || (rest == Quad(0.5) && (whole & 1) != 0)
                          : rest > 0 && round == (negative ? Round::Down : Round::Up);
    const uint64_t result = encode({Quad(whole + (away ? 1 : 0))}, format, Round::Zero);
    return result | (bits[0] & format.sign());
  };
}

uint64_t fraction(const Sources& bits, const FloatFormat& format, const FloatMode& mode) {
  if (format.isNan(bits[0])) {
    return bits[0] | format.quiet();
  }
  const Quad below = decode(integral(Round::Down)(bits, format, mode), format);
  const uint64_t result =
      encode(exactSum(decode(bits[0], format), -below, mode.round), format, mode.round);
  const uint64_t one = encode({1}, format, Round::Nearest);
  return result == one ? one - 1 : result;
}

class Arithmetic : public testing::TestWithParam<FloatCase> {};

TEST_P(Arithmetic, IsRoundedOnceInEveryMode) {
  checkFloatCase(GetParam());
}

std::string caseName(const testing::TestParamInfo<FloatCase>& info) {
  return info.param.mnemonic;
}

INSTANTIATE_TEST_SUITE_P(Sums, Arithmetic,
                         testing::Values(FloatCase{"v_add_f32", kSingle, 2, kAdd},
                                         FloatCase{"v_add_f64", kDouble, 2, kAdd},
                                         FloatCase{"v_add_f16", kHalf, 2, kAdd},
                                         FloatCase{"v_sub_f32", kSingle, 2, kSubtract},
                                         FloatCase{"v_sub_f16", kHalf, 2, kSubtract},
                                         FloatCase{"v_subrev_f32", kSingle, 2, kReversed},
                                         FloatCase{"v_subrev_f16", kHalf, 2, kReversed}),
                         caseName);

INSTANTIATE_TEST_SUITE_P(Products, Arithmetic,
                         testing::Values(FloatCase{"v_mul_f32", kSingle, 2, kMultiply},
                                         FloatCase{"v_mul_f64", kDouble, 2, kMultiply},
                                         FloatCase{"v_mul_f16", kHalf, 2, kMultiply},
                                         FloatCase{"v_mul_legacy_f32", kSingle, 2, legacyProduct}),
                         caseName);

INSTANTIATE_TEST_SUITE_P(Fused, Arithmetic,
                         testing::Values(FloatCase{"v_fma_f32", kSingle, 3, kFuse},
                                         FloatCase{"v_fma_f64", kDouble, 3, kFuse},
                                         FloatCase{"v_fma_legacy_f16", kHalf, 3, kFuse},
                                         FloatCase{"v_fmac_f32", kSingle, 3, kFuse, true},
                                         FloatCase{"v_fmac_f64", kDouble, 3, kFuse, true}),
                         caseName);

INSTANTIATE_TEST_SUITE_P(
    Unfused, Arithmetic,
    testing::Values(FloatCase{"v_mad_f32", kSingle, 3, multiplyThenAdd, false, true, true},
                    FloatCase{"v_mac_f32", kSingle, 3, multiplyThenAdd, true, true, true},
                    FloatCase{"v_mad_legacy_f16", kHalf, 3, multiplyThenAdd, false, true, true}),
    caseName);

INSTANTIATE_TEST_SUITE_P(Order, Arithmetic,
                         testing::Values(FloatCase{"v_max_f32", kSingle, 2, extremeOfTwo<true>},
                                         FloatCase{"v_max_f64", kDouble, 2, extremeOfTwo<true>},
                                         FloatCase{"v_max_f16", kHalf, 2, extremeOfTwo<true>},
                                         FloatCase{"v_min_f32", kSingle, 2, extremeOfTwo<false>},
                                         FloatCase{"v_min_f64", kDouble, 2, extremeOfTwo<false>},
                                         FloatCase{"v_min_f16", kHalf, 2, extremeOfTwo<false>},
                                         FloatCase{"v_max3_f32", kSingle, 3, extremeOfThree<true>},
                                         FloatCase{"v_min3_f32", kSingle, 3, extremeOfThree<false>},
                                         FloatCase{"v_med3_f32", kSingle, 3, median}),
                         caseName);

INSTANTIATE_TEST_SUITE_P(
    Integral, Arithmetic,
    testing::Values(FloatCase{"v_trunc_f32", kSingle, 1, integral(Round::Zero)},
                    FloatCase{"v_trunc_f64", kDouble, 1, integral(Round::Zero)},
                    FloatCase{"v_trunc_f16", kHalf, 1, integral(Round::Zero)},
                    FloatCase{"v_ceil_f32", kSingle, 1, integral(Round::Up)},
                    FloatCase{"v_ceil_f64", kDouble, 1, integral(Round::Up)},
                    FloatCase{"v_ceil_f16", kHalf, 1, integral(Round::Up)},
                    FloatCase{"v_floor_f32", kSingle, 1, integral(Round::Down)},
                    FloatCase{"v_floor_f64", kDouble, 1, integral(Round::Down)},
                    FloatCase{"v_floor_f16", kHalf, 1, integral(Round::Down)},
                    FloatCase{"v_rndne_f32", kSingle, 1, integral(Round::Nearest)},
                    FloatCase{"v_rndne_f64", kDouble, 1, integral(Round::Nearest)},
                    FloatCase{"v_rndne_f16", kHalf, 1, integral(Round::Nearest)},
                    FloatCase{"v_fract_f32", kSingle, 1, fraction},
                    FloatCase{"v_fract_f64", kDouble, 1, fraction},
                    FloatCase{"v_fract_f16", kHalf, 1, fraction}),
    caseName);

uint32_t half(double value) {
  return static_cast<uint32_t>(encode({value}, kHalf, Round::Nearest));
}

TEST(HalfSelection, SourcesAndDestinationTakeTheirHalvesAndKeepTheOther) {
  Snippet snippet("v_fma_f16 v10, v0, v1, v2\n"
                  "v_fma_f16 v11, v0, v1, v2 op_sel:[1,0,1,0]\n"
                  "v_fma_f16 v12, v0, -v1, |v2| op_sel:[0,1,1,1]\n"
                  "v_mad_f16 v13, v0, v1, v2 op_sel:[1,1,1,1]\n"
                  "v_max3_f16 v14, v0, v1, v2 op_sel:[1,0,0,1]\n"
                  "v_med3_f16 v15, v0, v1, v2 op_sel:[0,1,0,0]\n"
                  "v_min3_f16 v16, v0, v1, v2 op_sel:[0,0,1,0]\n");
  const auto both = [](double low, double high) { return half(low) | half(high) << 16; };
  snippet.vector(0, both(3, 5)).vector(1, both(7, 11)).vector(2, both(13, -17));
  for (unsigned index = 10; index < 17; ++index) {
    snippet.vector(index, 0xaaaabbbb);
  }
  snippet.wantVectors(10, 7);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(10)[7], 0xaaaa0000u | half(3 * 7 + 13));
  EXPECT_EQ(snippet.vectorOut(11)[7], 0xaaaa0000u | half(5 * 7 - 17));
  EXPECT_EQ(snippet.vectorOut(12)[7], 0xbbbbu | half(-3 * 11 + 17) << 16);
  EXPECT_EQ(snippet.vectorOut(13)[7], 0xbbbbu | half(5 * 11 - 17) << 16);
  EXPECT_EQ(snippet.vectorOut(14)[7], 0xbbbbu | half(13) << 16);
  EXPECT_EQ(snippet.vectorOut(15)[7], 0xaaaa0000u | half(11));
  EXPECT_EQ(snippet.vectorOut(16)[7], 0xaaaa0000u | half(-17));
}

TEST(HalfFused, TiesGoToEvenAndTheSmallestExcessBreaksThem) {
  // Odd and even multiples of 2^-10 above one, plus half of that unit.
  Lanes values;
  for (unsigned lane = 0; lane < 64; ++lane) {
    values[lane] = half(1) + lane;
  }
  Snippet snippet("v_fma_legacy_f16 v3, v0, 1.0, v1\n"
                  "v_fma_legacy_f16 v4, v1, v2, v0\n"
                  "v_fma_legacy_f16 v5, -v0, 1.0, -v1\n");
  const uint32_t aboveOne = half(1) + 1;
  snippet.vector(0, values).vector(1, half(0x1p-11)).vector(2, aboveOne).wantVectors(3, 3);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const uint32_t even = values[lane] + lane % 2;
    EXPECT_EQ(snippet.vectorOut(3)[lane], even) << lane;
    EXPECT_EQ(snippet.vectorOut(4)[lane], values[lane] + 1) << lane;
    EXPECT_EQ(snippet.vectorOut(5)[lane], even | 0x8000) << lane;
  }
}

TEST(MultiplyAdd, FormsWithAConstantAndAnAccumulatorTakeTheirOperandsInOrder) {
  Snippet snippet("v_madmk_f32 v10, v0, 0x40400000, v1\n" // 5 * 3 + 7
                  "v_madak_f32 v11, v0, v1, 0x40400000\n" // 5 * 7 + 3
                  "v_madmk_f16 v12, v2, 0x4200, v3\n"
                  "v_madak_f16 v13, v2, v3, 0x4200\n"
                  "v_mac_f16 v14, v2, v3\n");
  snippet.vector(0, 0x40a00000).vector(1, 0x40e00000).vector(2, half(5)).vector(3, half(7));
  snippet.vector(12, 0xaaaabbbb).vector(13, 0xaaaabbbb).vector(14, 0xaaaa0000 | half(2));
  snippet.wantVectors(10, 5);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(10)[0], 0x41b00000u);
  EXPECT_EQ(snippet.vectorOut(11)[0], 0x42180000u);
  EXPECT_EQ(snippet.vectorOut(12)[0], 0xaaaa0000u | half(22));
  EXPECT_EQ(snippet.vectorOut(13)[0], 0xaaaa0000u | half(38));
  EXPECT_EQ(snippet.vectorOut(14)[0], 0xaaaa0000u | half(37));
}

TEST(MultiplyAdd, LegacyZeroTimesInfinityIsZero) {
  Snippet snippet("v_mad_legacy_f32 v3, v0, v1, v2\nv_mad_legacy_f32 v4, v1, v2, -v2\n");
  snippet.vector(0, 0x80000000).vector(1, 0x7f800000).vector(2, 0x40000000).wantVectors(3, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(3)[0], 0x40000000u);
  EXPECT_EQ(snippet.vectorOut(4)[0], 0x7f800000u);
}

TEST(OutputScale, ScalesOnlyWithoutIeeeModeAndDenormals) {
  const std::string text = "v_add_f32 v2, v0, v1 mul:2\nv_add_f32 v3, v0, v1 mul:4\n"
                           "v_add_f32 v4, v0, v1 div:2\nv_add_f32 v5, v0, v1 clamp mul:4\n"
                           "v_add_f64 v[6:7], v[8:9], v[8:9] div:2\n"
                           "v_add_f16 v10, v11, v11 mul:2\n";
  const auto run = [&](const FloatMode& mode) {
    Snippet snippet(setMode(mode) + text);
    snippet.vector(0, 0x3f800000).vector(1, 0xbf000000).vector(8, 0).vector(9, 0x40080000);
    snippet.vector(11, half(5)).wantVectors(2, 9);
    EXPECT_TRUE(snippet.run()) << snippet.fault().message;
    return snippet;
  };
  const Snippet scaled = run({Round::Nearest, false, false, true});
  EXPECT_EQ(scaled.vectorOut(2)[9], 0x3f800000u);
  EXPECT_EQ(scaled.vectorOut(3)[9], 0x40000000u);
  EXPECT_EQ(scaled.vectorOut(4)[9], 0x3e800000u);
  EXPECT_EQ(scaled.vectorOut(5)[9], 0x3f800000u);
  EXPECT_EQ(scaled.vectorOut(7)[9], 0x40080000u);
  EXPECT_EQ(scaled.vectorOut(10)[9], half(20));
  for (const FloatMode& ignoring : {FloatMode{Round::Nearest, false, true, true},
                                    FloatMode{Round::Nearest, true, false, true}}) {
    const Snippet plain = run(ignoring);
    EXPECT_EQ(plain.vectorOut(2)[9], 0x3f000000u);
    EXPECT_EQ(plain.vectorOut(4)[9], 0x3f000000u);
    EXPECT_EQ(plain.vectorOut(7)[9], 0x40180000u);
    EXPECT_EQ(plain.vectorOut(10)[9], half(10));
  }
}

TEST(OutputScale, LosesTheSignOfZero) {
  Snippet snippet(setMode({Round::Nearest, false, false, true}) +
                  "v_mul_f32 v1, v0, 1.0 mul:2\nv_mul_f32 v2, v0, 1.0\n");
  snippet.vector(0, 0x80000000).wantVectors(1, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(1)[0], 0u);
  EXPECT_EQ(snippet.vectorOut(2)[0], 0x80000000u);
}

TEST(HalfOverflow, ModeBitKeepsFiniteResultsFinite) {
  const std::string text = "v_mul_f16 v2, v0, v0\nv_mul_f16 v3, v0, -v0\nv_mul_f16 v4, v0, v1\n";
  Snippet plain(text);
  Snippet saturating("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), 1\n" + text);
  for (Snippet* snippet : {&plain, &saturating}) {
    snippet->vector(0, half(60000)).vector(1, 0x7c00).wantVectors(2, 3);
    ASSERT_TRUE(snippet->run()) << snippet->fault().message;
    EXPECT_EQ(snippet->vectorOut(4)[0], 0x7c00u);
  }
  EXPECT_EQ(plain.vectorOut(2)[0], 0x7c00u);
  EXPECT_EQ(plain.vectorOut(3)[0], 0xfc00u);
  EXPECT_EQ(saturating.vectorOut(2)[0], 0x7bffu);
  EXPECT_EQ(saturating.vectorOut(3)[0], 0xfbffu);
}

TEST(CubeMap, FacesAndCoordinatesFollowTheLargestComponent) {
  const struct {
    float x, y, z, face, first, second, major;
  } cases[] = {
      {4, 1, 2, 0, -2, -1, 8},  {-4, 1, 2, 1, 2, -1, -8}, {1, 4, 2, 2, 1, 2, 8},
      {1, -4, 2, 3, 1, -2, -8}, {1, 2, 4, 4, 1, -2, 8},   {1, 2, -4, 5, -1, -2, -8},
      {3, 3, 3, 4, 3, -3, 6},   {3, 3, 1, 2, 3, 1, 6},
  };
  Lanes x{};
  Lanes y{};
  Lanes z{};
  for (size_t lane = 0; lane < std::size(cases); ++lane) {
    x[lane] = std::bit_cast<uint32_t>(cases[lane].x);
    y[lane] = std::bit_cast<uint32_t>(cases[lane].y);
    z[lane] = std::bit_cast<uint32_t>(cases[lane].z);
  }
  Snippet snippet("v_cubeid_f32 v4, v0, v1, v2\nv_cubesc_f32 v5, v0, v1, v2\n"
                  "v_cubetc_f32 v6, v0, v1, v2\nv_cubema_f32 v7, v0, v1, v2\n");
  snippet.vector(0, x).vector(1, y).vector(2, z).wantVectors(4, 4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  const auto out = [&](unsigned index, size_t lane) {
    return std::bit_cast<float>(snippet.vectorOut(index)[lane]);
  };
  for (size_t lane = 0; lane < std::size(cases); ++lane) {
    EXPECT_EQ(out(4, lane), cases[lane].face) << lane;
    EXPECT_EQ(out(5, lane), cases[lane].first) << lane;
    EXPECT_EQ(out(6, lane), cases[lane].second) << lane;
    EXPECT_EQ(out(7, lane), cases[lane].major) << lane;
  }
}

TEST(FloatModifiers, ClampOfAnIntegerResultIsRefused) {
  Snippet snippet("v_cvt_i32_f32 v1, v0 clamp\n");
  snippet.vector(0, 0x3f800000);
  ASSERT_FALSE(snippet.run());
  EXPECT_NE(snippet.fault().message.find("clamp"), std::string::npos) << snippet.fault().message;
}

} // namespace
} // namespace gpusim::test
