// Taking floating-point values apart and putting them together: frexp, ldexp, segments of 2/pi.
#include <algorithm>

#include "families.h"
#include "float_functions.h"
#include "float_operation.h"

namespace gpusim {

namespace {

/// A value as mantissa in [0.5, 1) and exponent; zeros, infinities and NaNs are their own mantissa.
template <class T>
struct Parts {
  T mantissa;
  int exponent;
};

template <class T>
Parts<T> parts(T value) {
  using Format = FloatFormat<T>;
  constexpr LaneBits<T> kHalf = std::bit_cast<LaneBits<T>>(T(0.5));
  constexpr int kHalfExponent = Format::exponent(kHalf);
  auto bits = std::bit_cast<LaneBits<T>>(value);
  if (Format::magnitude(bits) == 0 ||
      Format::exponent(bits) == Format::exponent(Format::kInfinity)) {
    return {quieted(value), 0};
  }
  int shift = 0;
  if (Format::isDenormal(bits)) {
    bits = std::bit_cast<LaneBits<T>>(value * T(0x1p64));
    shift = 64;
  }
  return {fromPattern<T>((bits & (Format::kSign | Format::kMantissa)) | kHalf),
          Format::exponent(bits) - kHalfExponent - shift};
}

template <class T>
T mantissa(T value) {
  return parts(value).mantissa;
}
template <class Integer, class T>
Integer exponent(T value) {
  return static_cast<Integer>(parts(value).exponent);
}

template <class T>
T scale(T value, int32_t power) {
  return scaledByPower(value, power);
}
float scaleHalf(float value, int16_t power) {
  return scaledByPower(value, power);
}

/// The first 1201 bits of 2/pi after the point, highest first.
constexpr uint64_t kTwoOverPi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b0000,
};

/// 53 bits of 2/pi from bit `first` after the point on.
uint64_t segmentOfTwoOverPi(unsigned first) {
  const auto word = [](unsigned index) {
    return index < std::size(kTwoOverPi) ? kTwoOverPi[index] : uint64_t{0};
  };
  const unsigned shift = first % 64;
  const uint64_t high = word(first / 64) << shift;
  const uint64_t low = shift == 0 ? 0 : word(first / 64 + 1) >> (64 - shift);
  return (high | low) >> 11;
}

/// The segment of 2/pi that the reduction of an argument of that size needs; rounds towards zero.
double trigonometricPreparation(double value, uint32_t segment) {
  constexpr int kFirstShifted = 1077;
  constexpr int kFirstScaled = 1968;
  constexpr int kLowestBit = -1074;
  const int valueExponent = FloatFormat<double>::exponent(std::bit_cast<uint64_t>(value));
  const int shift =
      static_cast<int>(segment & 31) * 53 + std::max(valueExponent - kFirstShifted, 0);
  const int power = -53 - shift + (valueExponent >= kFirstScaled ? 128 : 0);
  uint64_t bits = segmentOfTwoOverPi(static_cast<unsigned>(shift));
  const int lost = std::clamp(kLowestBit - power, 0, 63);
  bits = bits >> lost << lost;
  return std::ldexp(static_cast<double>(bits), power);
}

constexpr FloatRules kFromHalf{.halfArguments = true};
constexpr FloatRules kKept{.denormals = Denormals::Kept};

constexpr Opcode kOpcodes[] = {
    floatOpcode<mantissa<float>>("v_frexp_mant_f32"),
    floatOpcode<mantissa<double>>("v_frexp_mant_f64"),
    halfOpcode<mantissa<float>>("v_frexp_mant_f16"),
    floatOpcode<exponent<int32_t, float>>("v_frexp_exp_i32_f32"),
    floatOpcode<exponent<int32_t, double>>("v_frexp_exp_i32_f64"),
    floatOpcode<exponent<int16_t, float>, kFromHalf>("v_frexp_exp_i16_f16"),
    floatOpcode<scale<float>>("v_ldexp_f32"),
    floatOpcode<scale<double>>("v_ldexp_f64"),
    halfOpcode<scaleHalf>("v_ldexp_f16"),
    floatOpcode<trigonometricPreparation, kKept>("v_trig_preop_f64"),
};

} // namespace

Family vectorExponentFamily() {
  return kOpcodes;
}

} // namespace gpusim
