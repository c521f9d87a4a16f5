#include "half_float.h"

namespace gpusim {

namespace {

constexpr unsigned kLostBits = 42; ///< mantissa bits of double beyond those of half
constexpr int kBiasDifference = 1023 - 15;

bool roundsAway(Rounding rounding, bool negative, bool odd, uint64_t rest, uint64_t halfway) {
  switch (rounding) {
  case Rounding::Nearest:
    return rest > halfway || (rest == halfway && odd);
  case Rounding::Upward:
    return !negative && rest != 0;
  case Rounding::Downward:
    return negative && rest != 0;
  case Rounding::TowardZero:
    break;
  }
  return false;
}

/// Magnitude bits of a finite `magnitude` in double, without overflow handling.
uint32_t roundMagnitude(uint64_t magnitude, Rounding rounding, bool negative) {
  const int exponent = static_cast<int>(magnitude >> 52) - kBiasDifference;
  uint64_t kept = magnitude;
  unsigned shift = kLostBits;
  if (exponent >= 1) {
    kept -= static_cast<uint64_t>(kBiasDifference) << 52;
  } else {
    // Denormal: the leading one becomes part of the mantissa.
    kept = (magnitude & ((uint64_t{1} << 52) - 1)) | (magnitude >> 52 != 0 ? uint64_t{1} << 52 : 0);
    shift += static_cast<unsigned>(1 - exponent);
  }
  if (shift > 60) { // far below the smallest denormal: only stickiness matters
    return roundsAway(rounding, negative, false, magnitude != 0 ? 1 : 0, 2) ? 1 : 0;
  }
  const uint64_t rest = kept & ((uint64_t{1} << shift) - 1);
  const auto result = static_cast<uint32_t>(kept >> shift);
  const bool away =
      roundsAway(rounding, negative, (result & 1) != 0, rest, uint64_t{1} << (shift - 1));
  return result + (away ? 1 : 0);
}

bool overflowsToInfinity(Rounding rounding, bool negative) {
  return rounding == Rounding::Nearest ||
         rounding == (negative ? Rounding::Downward : Rounding::Upward);
}

} // namespace

Half roundToHalf(double value, Rounding rounding, bool saturate) {
  constexpr uint64_t kInfinity = uint64_t{0x7ff} << 52;
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  const uint64_t magnitude = bits & ~(uint64_t{1} << 63);
  const bool negative = magnitude != bits;
  const uint32_t sign = negative ? 0x8000u : 0u;
  uint32_t result = 0x7c00;
  if (magnitude > kInfinity) {
    result = 0x7c00u | static_cast<uint32_t>(magnitude >> kLostBits & 0x3ff);
  } else if (magnitude < kInfinity) {
    const bool huge = magnitude >= std::bit_cast<uint64_t>(65536.0);
    result = huge ? 0x7c00u : roundMagnitude(magnitude, rounding, negative);
    if (result >= 0x7c00u && (saturate || !overflowsToInfinity(rounding, negative))) {
      result = 0x7bff;
    }
  }
  return Half{static_cast<uint16_t>(sign | result)};
}

} // namespace gpusim
