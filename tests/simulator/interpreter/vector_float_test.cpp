// Arithmetic of floating-point lanes against exact numbers that are rounded by hand.
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
/// The middle of three numbers; with a NaN the smallest of the others.
uint64_t median(const Sources& bits, const FloatFormat& format, const FloatMode& mode) {
  for (const uint64_t source : bits) {
    if (format.isNan(source)) {
      return extremeOfThree<false>(bits, format, mode);
    }
  }
  Sources sorted = bits;
  std::sort(sorted.begin(), sorted.end(),
            [&](uint64_t a, uint64_t b) { return ordered(a, format) < ordered(b, format); });
  return sorted[1];
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

} // namespace
} // namespace gpusim::test
