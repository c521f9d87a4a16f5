// Half precision to and from wider types.
#pragma once

#include <bit>
#include <cstdint>

#include "../operand_access.h"

namespace gpusim {

/// In the encoding of the MODE register.
enum class Rounding : uint8_t { Nearest, Upward, Downward, TowardZero };

/// Exact. NaNs keep their payload and stay signalling.
inline float widen(Half half) {
  const uint32_t magnitude = half.bits & 0x7fffu;
  const uint32_t sign = static_cast<uint32_t>(half.bits & 0x8000u) << 16;
  // The multiplication moves the exponent and normalises denormals.
  const float finite = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
  const uint32_t special = magnitude >= 0x7c00u ? 0x7f800000u | magnitude << 13 : 0u;
  return std::bit_cast<float>(sign | special |
                              (special != 0 ? 0u : std::bit_cast<uint32_t>(finite)));
}

/// To nearest, ties to even; the host must round so too. NaNs keep the upper part of their payload.
inline Half roundToHalf(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t magnitude = bits & 0x7fffffffu;
  const uint32_t normal = (magnitude + 0xfffu + (magnitude >> 13 & 1) - (112u << 23)) >> 13;
  // Adding one half makes the unit in the last place that of half's denormals.
  const uint32_t denormal =
      std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude < 0x38800000u ? magnitude : 0u) +
                              0.5f) -
      0x3f000000u;
  uint32_t result = magnitude < 0x38800000u ? denormal : normal;
  result = magnitude >= 0x477ff000u ? 0x7c00u : result;
  result = magnitude > 0x7f800000u ? 0x7c00u | (magnitude >> 13 & 0x3ffu) : result;
  return Half{static_cast<uint16_t>((bits >> 16 & 0x8000u) | result)};
}

/// Any rounding; whatever the host's mode is. `saturate` (MODE.FP16_OVFL): finite values never
/// become infinite.
Half roundToHalf(double value, Rounding rounding, bool saturate);

} // namespace gpusim
