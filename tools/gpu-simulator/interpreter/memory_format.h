// What vector memory instructions do with the bytes of a lane: widths, extension, half registers.
#pragma once

#include <cstdint>

#include "execution.h"
#include "lane_memory.h"
#include "operand_access.h"
#include "row_transfer.h"
#include "wave.h"

namespace gpusim {

enum class Extend : uint8_t {
  Whole,   ///< dwords, as they are
  Zero,    ///< a byte or short, zero-extended
  Sign,    ///< a byte or short, sign-extended
  LowZero, ///< d16: extended to 16 bits in the low half; see keptBits
  LowSign,
  HighZero, ///< d16_hi: the same in the high half
  HighSign,
};

constexpr bool isHighHalf(Extend extend) {
  return extend == Extend::HighZero || extend == Extend::HighSign;
}

constexpr bool isHalf(Extend extend) {
  return isHighHalf(extend) || extend == Extend::LowZero || extend == Extend::LowSign;
}

/// The bits of a register's old content that a load may keep.
template <Extend kExtend>
uint32_t keptBits(const Wave& wave) {
  if constexpr (isHalf(kExtend)) {
    return wave.execution->architecture().loadsWholeRegisters ? 0 : ~uint32_t{0};
  }
  return 0;
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
  } else if constexpr (isHalf(kExtend)) {
    return (old & 0xffff0000) | (value & 0xffff);
  } else {
    return value;
  }
}

/// Lane words of a load before they are written under EXEC.
struct LoadedWords {
  alignas(64) uint32_t word[4][kLanes];
};

/// Loads `kBytes` for every active lane from neighbouring host bytes.
template <unsigned kBytes, Extend kExtend>
void loadRow(Wave& wave, unsigned destination, const std::byte* row, LoadedWords& loaded) {
  constexpr unsigned kWords = (kBytes + 3) / 4;
  constexpr unsigned kPiece = kBytes < 4 ? kBytes : 4;
  if (wave.exec() == ~uint64_t{0} && movesRow<kBytes>(row)) {
    return loadWholeRow<kBytes>(&wave.vgpr[destination], row);
  }
  const uint32_t kept = keptBits<kExtend>(wave);
  for (unsigned word = 0; word < kWords; ++word) {
    const uint32_t* old = wave.vgpr[destination + word];
    const std::byte* column = row + 4 * word;
    uint32_t* out = loaded.word[word];
    const auto loadLane = [&](unsigned lane) {
      uint32_t raw = 0;
      copyFromGuest(&raw, column + kBytes * lane, kPiece);
      out[lane] = extendLoaded<kBytes, kExtend>(raw, old[lane] & kept);
    };
    forEachLaneOf(wave.exec(), loadLane);
    writeRegister(wave, destination + word, out, wave.exec());
  }
}

/// Stores `kBytes` of every active lane to neighbouring host bytes.
template <unsigned kBytes, Extend kExtend>
void storeRow(const Wave& wave, unsigned source, std::byte* row) {
  constexpr unsigned kWords = (kBytes + 3) / 4;
  constexpr unsigned kPiece = kBytes < 4 ? kBytes : 4;
  if (wave.exec() == ~uint64_t{0} && movesRow<kBytes>(row)) {
    return storeWholeRow<kBytes>(&wave.vgpr[source], row);
  }
  for (unsigned word = 0; word < kWords; ++word) {
    const uint32_t* values = wave.vgpr[source + word];
    std::byte* column = row + 4 * word;
    forEachLaneOf(wave.exec(), [&](unsigned lane) {
      const uint32_t value = values[lane] >> (isHighHalf(kExtend) ? 16 : 0);
      copyToGuest(column + kBytes * lane, &value, kPiece);
    });
  }
}

} // namespace gpusim
