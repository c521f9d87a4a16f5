// Floating-point arithmetic of lanes: sums, products, minima, maxima, roundings to integers.
#include "families.h"
#include "float_functions.h"
#include "float_operation.h"

namespace gpusim {

namespace {

template <class T>
T add(T a, T b) {
  return a + b;
}
template <class T>
T subtract(T a, T b) {
  return a - b;
}
template <class T>
T subtractReversed(T a, T b) {
  return b - a;
}
template <class T>
T multiply(T a, T b) {
  return a * b;
}
template <class T>
T fuse(T a, T b, T c) {
  return std::fma(a, b, c);
}

/// Zero times anything is zero.
float multiplyLegacy(float a, float b) {
  return a == 0.0f || b == 0.0f ? 0.0f : a * b;
}

float fuseLegacy(float a, float b, float c) {
  return a == 0.0f || b == 0.0f ? 0.0f + c : std::fma(a, b, c);
}

float flushed(float value) {
  return fromPattern<float>(FloatFormat<float>::flushed(std::bit_cast<uint32_t>(value)));
}

/// Not fused: the product is rounded, and denormals do not exist.
float multiplyThenAdd(float a, float b, float c) {
  return flushed(a * b) + c;
}
float multiplyThenAddLegacy(float a, float b, float c) {
  return flushed(multiplyLegacy(a, b)) + c;
}

/// `value` rounded to the precision and range of half, in the host's rounding mode; denormals
/// become zero.
float roundLikeHalf(float value) {
  // A sum with 2^13 times its leading power of two has half's last place.
  const float leading = fromPattern<float>(std::bit_cast<uint32_t>(value) & 0xff800000u) * 0x1p13f;
  const float rounded = value + leading - leading;
  const float magnitude = std::abs(rounded);
  // The host's overflow tells which side the rounding mode takes.
  const bool isInfinite = magnitude > 65504.0f && std::abs(rounded * 0x1p120f) > 0x1.fffffep127f;
  const float limited = isInfinite ? withSignOf(fromPattern<float>(0x7f800000u), value)
                                   : withSignOf(magnitude > 65504.0f ? 65504.0f : magnitude, value);
  const float normal = magnitude < 0x1p-14f ? withSignOf(0.0f, value) : limited;
  return std::abs(value) <= 0x1.fffffep127f ? normal : value;
}

float multiplyThenAddHalf(float a, float b, float c) {
  return roundLikeHalf(a * b) + c;
}

/// The number when one operand is a NaN; in IEEE mode signalling NaNs win.
template <class T, bool kIeee>
T maximum(T a, T b) {
  const bool bothZero = a == T(0) && b == T(0);
  const T ordered = bothZero ? (std::signbit(a) ? b : a) : (a >= b ? a : b);
  const T number = a != a ? b : b != b ? a : ordered;
  if constexpr (kIeee) {
    return isSignalling(a) ? quieted(a) : isSignalling(b) ? quieted(b) : number;
  }
  return number;
}
template <class T, bool kIeee>
T minimum(T a, T b) {
  const bool bothZero = a == T(0) && b == T(0);
  const T ordered = bothZero ? (std::signbit(a) ? a : b) : (a < b ? a : b);
  const T number = a != a ? b : b != b ? a : ordered;
  if constexpr (kIeee) {
    return isSignalling(a) ? quieted(a) : isSignalling(b) ? quieted(b) : number;
  }
  return number;
}
template <class T, bool kIeee>
T maximumOfThree(T a, T b, T c) {
  return maximum<T, kIeee>(maximum<T, kIeee>(a, b), c);
}
template <class T, bool kIeee>
T minimumOfThree(T a, T b, T c) {
  return minimum<T, kIeee>(minimum<T, kIeee>(a, b), c);
}
template <class T, bool kIeee>
T maximumThenMinimum(T a, T b, T c) {
  return minimum<T, kIeee>(maximum<T, kIeee>(a, b), c);
}
template <class T, bool kIeee>
T minimumThenMaximum(T a, T b, T c) {
  return maximum<T, kIeee>(minimum<T, kIeee>(a, b), c);
}
template <class T, bool kIeee>
T median(T a, T b, T c) {
  // Selections instead of branches, so that lanes are computed side by side.
  const T largest = maximumOfThree<T, kIeee>(a, b, c);
  const T ofFirst = maximum<T, kIeee>(a, largest == b ? c : b);
  const T middle = largest == a ? maximum<T, kIeee>(b, c) : ofFirst;
  const bool anyNan = (a != a) | (b != b) | (c != c);
  return anyNan ? minimumOfThree<T, kIeee>(a, b, c) : middle;
}

/// A NaN when an operand is one; zeros are ordered by their signs.
template <class T>
T leastOfThree(T a, T b, T c) {
  return a != a || b != b || c != c ? a + b + c : minimumOfThree<T, false>(a, b, c);
}
template <class T>
T greatestOfThree(T a, T b, T c) {
  return a != a || b != b || c != c ? a + b + c : maximumOfThree<T, false>(a, b, c);
}

/// Below one even where the subtraction would round up to it.
template <class T>
T fraction(T value) {
  const T rest = value - roundedDown(value);
  constexpr LaneBits<T> kOne = std::bit_cast<LaneBits<T>>(T(1));
  return rest >= T(1) ? fromPattern<T>(kOne - 1) : rest;
}
float fractionOfHalf(float value) {
  const float rest = value - roundedDown(value);
  return rest > 0x1.ffcp-1f ? 0x1.ffcp-1f : rest;
}

/// Two variants of a handler, by the IEEE bit of MODE.
template <Handler kIeee, Handler kPlain>
Step byIeeeMode(Wave& wave, const Instruction& instruction) {
  return (wave.mode & mode::kIeee) != 0 ? kIeee(wave, instruction) : kPlain(wave, instruction);
}

constexpr FloatRules kFused{.fused = true};
constexpr FloatRules kFusedAccumulate{.accumulates = true, .fused = true};
constexpr FloatRules kMad{.denormals = Denormals::Flushed};
constexpr FloatRules kMac{.accumulates = true, .denormals = Denormals::Flushed};
constexpr FloatRules kMadHalf{.selectsHalves = true, .denormals = Denormals::Flushed};
constexpr FloatRules kMacHalf{
    .accumulates = true, .keepsUpperHalf = true, .denormals = Denormals::Flushed};
constexpr FloatRules kMadConstantHalf{.keepsUpperHalf = true, .denormals = Denormals::Flushed};
constexpr FloatRules kAccumulate{.accumulates = true};
constexpr FloatRules kFusedHalf{.accumulates = true, .keepsUpperHalf = true};
constexpr FloatRules kConstantHalf{.keepsUpperHalf = true};
constexpr FloatRules kSelect{.selectsHalves = true};
constexpr FloatRules kOrder{.ownNans = true};
constexpr FloatRules kOrderHalf{.halfArguments = true, .halfResult = true, .ownNans = true};
constexpr FloatRules kOrderSelect{
    .halfArguments = true, .halfResult = true, .ownNans = true, .selectsHalves = true};

template <auto kIeee, auto kPlain, FloatRules Rules>
constexpr Opcode orderOpcode(std::string_view mnemonic) {
  Opcode opcode = floatOpcode<kIeee, Rules>(mnemonic);
  opcode.run = byIeeeMode<&FloatOperation<kIeee, Rules>::run, &FloatOperation<kPlain, Rules>::run>;
  return opcode;
}

constexpr Opcode kOpcodes[] = {
    floatOpcode<add<float>>("v_add_f32"),
    floatOpcode<add<double>>("v_add_f64"),
    halfOpcode<add<float>>("v_add_f16"),
    floatOpcode<subtract<float>>("v_sub_f32"),
    halfOpcode<subtract<float>>("v_sub_f16"),
    floatOpcode<subtractReversed<float>>("v_subrev_f32"),
    halfOpcode<subtractReversed<float>>("v_subrev_f16"),
    floatOpcode<multiply<float>>("v_mul_f32"),
    floatOpcode<multiply<double>>("v_mul_f64"),
    halfOpcode<multiply<float>>("v_mul_f16"),
    floatOpcode<multiplyLegacy>("v_mul_legacy_f32"),

    floatOpcode<fuse<float>, kFused>("v_fma_f32"),
    floatOpcode<fuse<double>, kFused>("v_fma_f64"),
    floatOpcode<fuse<float>, kFusedAccumulate>("v_fmac_f32"),
    floatOpcode<fuse<double>, kFusedAccumulate>("v_fmac_f64"),
    floatOpcode<fuse<float>, kFused>("v_fmaak_f32"),
    floatOpcode<fuse<float>, kFused>("v_fmamk_f32"),
    halfOpcode<fuse<double>, kSelect>("v_fma_f16"),
    halfOpcode<fuse<double>>("v_fma_legacy_f16"),

    floatOpcode<fuse<float>, kFused>("v_fmaak_f32"),
    floatOpcode<fuse<float>, kFused>("v_fmamk_f32"),
    halfOpcode<fuse<double>, kFusedHalf>("v_fmac_f16"),
    halfOpcode<fuse<double>, kConstantHalf>("v_fmaak_f16"),
    halfOpcode<fuse<double>, kConstantHalf>("v_fmamk_f16"),
    floatOpcode<fuseLegacy>("v_fma_legacy_f32"),
    floatOpcode<fuseLegacy, kAccumulate>("v_fmac_legacy_f32"),

    floatOpcode<multiplyThenAdd, kMad>("v_mad_f32"),
    floatOpcode<multiplyThenAdd, kMad>("v_madmk_f32"),
    floatOpcode<multiplyThenAdd, kMad>("v_madak_f32"),
    floatOpcode<multiplyThenAdd, kMac>("v_mac_f32"),
    floatOpcode<multiplyThenAddLegacy, kMad>("v_mad_legacy_f32"),
    halfOpcode<multiplyThenAddHalf, kMadHalf>("v_mad_f16"),
    halfOpcode<multiplyThenAddHalf, kMad>("v_mad_legacy_f16"),
    halfOpcode<multiplyThenAddHalf, kMadConstantHalf>("v_madmk_f16"),
    halfOpcode<multiplyThenAddHalf, kMadConstantHalf>("v_madak_f16"),
    halfOpcode<multiplyThenAddHalf, kMacHalf>("v_mac_f16"),

    orderOpcode<maximum<float, true>, maximum<float, false>, kOrder>("v_max_f32"),
    orderOpcode<maximum<double, true>, maximum<double, false>, kOrder>("v_max_f64"),
    orderOpcode<maximum<float, true>, maximum<float, false>, kOrderHalf>("v_max_f16"),
    orderOpcode<minimum<float, true>, minimum<float, false>, kOrder>("v_min_f32"),
    orderOpcode<minimum<double, true>, minimum<double, false>, kOrder>("v_min_f64"),
    orderOpcode<minimum<float, true>, minimum<float, false>, kOrderHalf>("v_min_f16"),
    orderOpcode<maximumOfThree<float, true>, maximumOfThree<float, false>, kOrder>("v_max3_f32"),
    orderOpcode<maximumOfThree<float, true>, maximumOfThree<float, false>, kOrderSelect>(
        "v_max3_f16"),
    orderOpcode<minimumOfThree<float, true>, minimumOfThree<float, false>, kOrder>("v_min3_f32"),
    orderOpcode<minimumOfThree<float, true>, minimumOfThree<float, false>, kOrderSelect>(
        "v_min3_f16"),
    orderOpcode<maximumThenMinimum<float, true>, maximumThenMinimum<float, false>, kOrder>(
        "v_maxmin_f32"),
    orderOpcode<maximumThenMinimum<float, true>, maximumThenMinimum<float, false>, kOrderSelect>(
        "v_maxmin_f16"),
    orderOpcode<minimumThenMaximum<float, true>, minimumThenMaximum<float, false>, kOrder>(
        "v_minmax_f32"),
    orderOpcode<minimumThenMaximum<float, true>, minimumThenMaximum<float, false>, kOrderSelect>(
        "v_minmax_f16"),
    orderOpcode<median<float, true>, median<float, false>, kOrder>("v_med3_f32"),
    orderOpcode<median<float, true>, median<float, false>, kOrderSelect>("v_med3_f16"),

    floatOpcode<leastOfThree<float>>("v_minimum3_f32"),
    halfOpcode<leastOfThree<float>>("v_minimum3_f16"),
    floatOpcode<greatestOfThree<float>>("v_maximum3_f32"),
    halfOpcode<greatestOfThree<float>>("v_maximum3_f16"),

    floatOpcode<truncated<float>>("v_trunc_f32"),
    floatOpcode<truncated<double>>("v_trunc_f64"),
    halfOpcode<truncated<float>>("v_trunc_f16"),
    floatOpcode<roundedUp<float>>("v_ceil_f32"),
    floatOpcode<roundedUp<double>>("v_ceil_f64"),
    halfOpcode<roundedUp<float>>("v_ceil_f16"),
    floatOpcode<roundedDown<float>>("v_floor_f32"),
    floatOpcode<roundedDown<double>>("v_floor_f64"),
    halfOpcode<roundedDown<float>>("v_floor_f16"),
    floatOpcode<roundedToNearest<float>>("v_rndne_f32"),
    floatOpcode<roundedToNearest<double>>("v_rndne_f64"),
    halfOpcode<roundedToNearest<float>>("v_rndne_f16"),
    floatOpcode<fraction<float>>("v_fract_f32"),
    floatOpcode<fraction<double>>("v_fract_f64"),
    halfOpcode<fractionOfHalf>("v_fract_f16"),
};

} // namespace

Family vectorFloatFamily() {
  return kOpcodes;
}

} // namespace gpusim
