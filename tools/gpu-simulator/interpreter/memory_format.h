// What vector memory instructions do with the bytes of a lane: widths, extension, half registers.
#pragma once

#include <cstdint>

#include "wave.h"

namespace gpusim {

enum class Extend : uint8_t {
  Whole,   ///< dwords, as they are
  Zero,    ///< a byte or short, zero-extended
  Sign,    ///< a byte or short, sign-extended
  LowZero, ///< d16: extended to 16 bits in the low half, the high half kept
  LowSign,
  HighZero, ///< d16_hi: the same in the high half
  HighSign,
};

constexpr bool isHighHalf(Extend extend) {
  return extend == Extend::HighZero || extend == Extend::HighSign;
}

/// The word a register gets from `raw` (zero-extended from `kBytes`), given its old content.
template <unsigned kBytes, Extend kExtend>
constexpr uint32_t extendLoaded(uint32_t raw, uint32_t old) {
  constexpr bool kSigned =
      kExtend == Extend::Sign || kExtend == Extend::LowSign || kExtend == Extend::HighSign;
  uint32_t value = raw;
  if constexpr (kSigned && kBytes < 4) {
    constexpr unsigned kShift = 32 - 8 * kBytes;
    value = static_cast<uint32_t>(static_cast<int32_t>(raw << kShift) >> kShift);
  }
  if constexpr (isHighHalf(kExtend)) {
    return (old & 0xffff) | value << 16;
  } else if constexpr (kExtend == Extend::LowZero || kExtend == Extend::LowSign) {
    return (old & 0xffff0000) | (value & 0xffff);
  } else {
    return value;
  }
}

/// Lane words of a load before they are written under EXEC.
struct LoadedWords {
  alignas(64) uint32_t word[4][kLanes];
};

} // namespace gpusim
