// Sums of two 16-bit floats in one word, as packed atomics compute them.
#pragma once

#include <bit>
#include <cstdint>

#include "half_float.h"

namespace gpusim {

/// The upper half of a single, rounded to nearest even. NaNs stay NaNs and become quiet.
inline uint32_t roundToBrainFloat(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if (value != value) {
    return bits >> 16 | 0x40;
  }
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

inline float widenBrainFloat(uint32_t bits) {
  return std::bit_cast<float>(bits << 16);
}

namespace atomic {

template <class T>
struct AddHalves {
  static uint32_t add(uint32_t a, uint32_t b) {
    const float sum = widen(Half{static_cast<uint16_t>(a)}) + widen(Half{static_cast<uint16_t>(b)});
    return roundToHalf(sum).bits;
  }
  static T apply(T old, T value) { return add(old, value) | add(old >> 16, value >> 16) << 16; }
};

template <class T>
struct AddBrainFloats {
  static uint32_t add(uint32_t a, uint32_t b) {
    return roundToBrainFloat(widenBrainFloat(a) + widenBrainFloat(b));
  }
  static T apply(T old, T value) { return add(old, value) | add(old >> 16, value >> 16) << 16; }
};

} // namespace atomic

} // namespace gpusim
