// Floats of eight, six and four bits as the Open Compute Project defines them.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace gpusim {

/// What the largest exponent stands for.
enum class TopExponent : uint8_t {
  Numbers,      ///< numbers like all others
  NumbersOrNan, ///< the same, but all bits set are a NaN
  Specials,     ///< an infinity and NaNs
};

template <unsigned kExponentBits, unsigned kMantissaBits, TopExponent kTop>
struct SmallFloat {
  static constexpr unsigned kWidth = 1 + kExponentBits + kMantissaBits;
  static constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  static constexpr int kLowestExponent = 1 - kBias;
  static constexpr uint32_t kHidden = 1u << kMantissaBits;
  static constexpr uint32_t kSign = 1u << (kWidth - 1);
  static constexpr uint32_t kInfinity = (kSign - 1) & ~(kHidden - 1);
  static constexpr uint32_t kLargest = kTop == TopExponent::Specials       ? kInfinity - 1
                                       : kTop == TopExponent::NumbersOrNan ? kSign - 2
                                                                           : kSign - 1;
  /// What a NaN becomes; without NaNs the largest number.
  static constexpr uint32_t kNan =
      kTop == TopExponent::Specials ? kInfinity | kHidden >> 1 : kSign - 1;
  /// What is larger than the largest number.
  static constexpr uint32_t kOverflow = kTop == TopExponent::Specials ? kInfinity : kNan;

  /// Exact.
  static float widen(uint32_t bits) {
    const uint32_t magnitude = bits & (kSign - 1);
    const float value = magnitude > kLargest ? special(magnitude) : number(magnitude);
    return (bits & kSign) != 0 ? -value : value;
  }

  /// To nearest, ties to even. Finite numbers beyond the largest become the largest if `saturates`.
  static uint32_t round(double value, bool saturates) {
    const uint32_t sign = std::signbit(value) ? kSign : 0;
    if (std::isnan(value)) {
      return sign | kNan;
    }
    if (std::isinf(value)) {
      return sign | kOverflow;
    }
    const uint32_t bits = roundMagnitude(std::fabs(value));
    return sign | (bits <= kLargest ? bits : saturates ? kLargest : kOverflow);
  }

private:
  static float special(uint32_t magnitude) {
    const bool infinite = kTop == TopExponent::Specials && magnitude == kInfinity;
    return std::bit_cast<float>(infinite ? 0x7f800000u : 0x7fc00000u);
  }
  static float number(uint32_t magnitude) {
    const uint32_t field = magnitude >> kMantissaBits;
    const uint32_t fraction = magnitude & (kHidden - 1);
    const uint32_t units = field == 0 ? fraction : fraction | kHidden;
    const int exponent = field == 0 ? kLowestExponent : static_cast<int>(field) - kBias;
    return std::ldexp(static_cast<float>(units), exponent - static_cast<int>(kMantissaBits));
  }
  /// Rounding up to the next power of two carries into the exponent.
  static uint32_t roundMagnitude(double magnitude) {
    constexpr int kBeyond = 1 << kExponentBits;
    const int own = magnitude == 0 ? kLowestExponent : std::ilogb(magnitude);
    const int exponent = std::clamp(own, kLowestExponent, kBeyond);
    if (exponent == kBeyond) {
      return kSign; // more than any number
    }
    const auto units = static_cast<uint32_t>(
        std::nearbyint(std::ldexp(magnitude, static_cast<int>(kMantissaBits) - exponent)));
    const uint32_t field = units < kHidden ? 0u : static_cast<uint32_t>(exponent + kBias - 1);
    return (field << kMantissaBits) + units;
  }
};

using OcpFp8 = SmallFloat<4, 3, TopExponent::NumbersOrNan>; ///< E4M3, largest 448
using OcpBf8 = SmallFloat<5, 2, TopExponent::Specials>;     ///< E5M2, largest 57344
using OcpFp6 = SmallFloat<2, 3, TopExponent::Numbers>;      ///< E2M3, largest 7.5
using OcpBf6 = SmallFloat<3, 2, TopExponent::Numbers>;      ///< E3M2, largest 28
using OcpFp4 = SmallFloat<2, 1, TopExponent::Numbers>;      ///< E2M1, largest 6

} // namespace gpusim
