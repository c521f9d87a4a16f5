// Floats of eight bits as gfx942 has them: no infinities, one zero, and one NaN (0x80).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace gpusim {

/// With three bits of mantissa "fp8" (largest 240), with two "bf8" (largest 57344).
template <unsigned kMantissaBits>
struct FnuzFloat {
  static constexpr int kBias = 1 << (6 - kMantissaBits);
  static constexpr int kLowestExponent = 1 - kBias;
  static constexpr uint32_t kHidden = 1u << kMantissaBits;
  static constexpr uint32_t kNan = 0x80;
  static constexpr uint32_t kLargest = 0x7f;

  static float widen(uint32_t bits) {
    bits &= 0xff;
    if (bits == kNan) {
      return std::bit_cast<float>(0x7fc00000u);
    }
    const uint32_t field = bits >> kMantissaBits & (kLargest >> kMantissaBits);
    const uint32_t fraction = bits & (kHidden - 1);
    const uint32_t units = field == 0 ? fraction : fraction | kHidden;
    const int exponent = field == 0 ? kLowestExponent : static_cast<int>(field) - kBias;
    const float value =
        std::ldexp(static_cast<float>(units), exponent - static_cast<int>(kMantissaBits));
    return (bits & 0x80) != 0 ? -value : value;
  }

  /// To nearest, ties to even. What is too large becomes the largest if it saturates, else a NaN;
  /// infinities become NaNs always.
  static uint32_t round(float value, bool saturates) {
    if (!std::isfinite(value)) {
      return kNan;
    }
    const float magnitude = std::fabs(value);
    const int exponent =
        magnitude == 0 ? kLowestExponent : std::max(std::ilogb(magnitude), kLowestExponent);
    const auto units = static_cast<uint32_t>(
        std::nearbyint(std::ldexp(magnitude, static_cast<int>(kMantissaBits) - exponent)));
    // Rounding up to the next power of two carries into the exponent.
    const uint32_t field = units < kHidden ? 0u : static_cast<uint32_t>(exponent + kBias - 1);
    const uint32_t bits = (field << kMantissaBits) + units;
    if (bits > kLargest) {
      return saturates ? kLargest | sign(value) : kNan;
    }
    return bits == 0 ? 0 : bits | sign(value);
  }

private:
  static uint32_t sign(float value) { return std::signbit(value) ? 0x80u : 0u; }
};

} // namespace gpusim
