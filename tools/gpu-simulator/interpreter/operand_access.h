// Reading operands as lanes or scalars and writing results under the execution mask.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "wave.h"

namespace gpusim {

/// A 16-bit float; arithmetic is the business of the families.
struct Half {
  uint16_t bits = 0;
};

/// The unsigned word that carries a `T` in a lane.
template <class T>
using LaneBits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

template <class T>
struct LaneBuffer {
  alignas(64) LaneBits<T> value[kLanes];
};

template <class T>
constexpr T fromBits(LaneBits<T> bits) {
  if constexpr (std::is_same_v<T, Half>) {
    return Half{static_cast<uint16_t>(bits)};
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(bits);
  } else {
    return std::bit_cast<T>(bits);
  }
}

template <class T>
constexpr LaneBits<T> toBits(T value) {
  if constexpr (std::is_same_v<T, Half>) {
    return value.bits;
  } else if constexpr (std::is_integral_v<T> && sizeof(T) < 4) {
    return static_cast<std::make_unsigned_t<T>>(value); // gfx9: 16-bit results clear the upper half
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<LaneBits<T>>(value);
  } else {
    return std::bit_cast<LaneBits<T>>(value);
  }
}

template <class T>
constexpr ValueType valueTypeOf() {
  if constexpr (std::is_same_v<T, Half>) {
    return ValueType::Float16;
  } else if constexpr (std::is_same_v<T, float>) {
    return ValueType::Float32;
  } else if constexpr (std::is_same_v<T, double>) {
    return ValueType::Float64;
  } else if constexpr (sizeof(T) == 2) {
    return ValueType::Bits16;
  } else if constexpr (sizeof(T) == 4) {
    return ValueType::Bits32;
  } else {
    return std::is_signed_v<T> ? ValueType::Int64 : ValueType::Bits64;
  }
}

/// The sign bit of a `T` inside its lane word.
template <class T>
inline constexpr LaneBits<T> kSignBit = LaneBits<T>{1} << (8 * sizeof(T) - 1);

template <class T>
constexpr LaneBits<T> applyOperandFlags(LaneBits<T> bits, uint8_t flags) {
  if constexpr (sizeof(T) == 2) {
    bits = (flags & Operand::kHighHalf) != 0 ? bits >> 16 : bits & 0xffff;
  }
  if ((flags & Operand::kAbsolute) != 0) {
    bits &= ~kSignBit<T>;
  }
  if ((flags & Operand::kNegate) != 0) {
    bits ^= kSignBit<T>;
  }
  return bits;
}

/// A constant, or one or two scalar registers, without sign modifiers.
template <class T>
LaneBits<T> uniformBits(const Wave& wave, const Operand& operand) {
  if (operand.kind == Operand::Kind::Constant) {
    return static_cast<LaneBits<T>>(operand.constant);
  }
  if constexpr (sizeof(T) == 8) {
    return wave.pair(operand.index);
  } else {
    return wave.sgpr[operand.index];
  }
}

/// The lanes of a source. The answer points into the register file when nothing has to be computed,
/// otherwise to `buffer`.
template <class T>
const LaneBits<T>* readLanes(const Wave& wave, const Operand& operand, LaneBuffer<T>& buffer) {
  LaneBits<T>* out = buffer.value;
  if (operand.kind != Operand::Kind::Vector) {
    const LaneBits<T> bits = applyOperandFlags<T>(uniformBits<T>(wave, operand), operand.flags);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      out[lane] = bits;
    }
    return out;
  }
  const uint32_t* low = wave.vgpr[operand.index];
  if constexpr (sizeof(T) == 8) {
    const uint32_t* high = wave.vgpr[operand.index + 1];
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      out[lane] = low[lane] | static_cast<uint64_t>(high[lane]) << 32;
    }
    if (operand.flags == 0) {
      return out;
    }
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      out[lane] = applyOperandFlags<T>(out[lane], operand.flags);
    }
    return out;
  } else {
    if (operand.flags == 0) {
      return low; // fromBits drops the upper half of 16-bit values
    }
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      out[lane] = applyOperandFlags<T>(low[lane], operand.flags);
    }
    return out;
  }
}

/// Writes one VGPR where `mask` has a lane.
inline void writeRegister(Wave& wave, unsigned index, const uint32_t* words, uint64_t mask) {
  uint32_t* destination = wave.vgpr[index];
  if (mask == ~uint64_t{0}) {
    std::memcpy(destination, words, sizeof(LaneWords));
    return;
  }
  alignas(64) LaneWords select;
  expandMask(mask, select);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    destination[lane] = (words[lane] & select[lane]) | (destination[lane] & ~select[lane]);
  }
}

/// Writes one half of a VGPR where EXEC has a lane.
inline void writeHalf(Wave& wave, const Operand& operand, const uint32_t* halves) {
  const uint32_t* old = wave.vgpr[operand.index];
  const bool high = (operand.flags & Operand::kHighHalf) != 0;
  const unsigned shift = high ? 16 : 0;
  const uint32_t kept = high ? 0x0000ffff : 0xffff0000;
  alignas(64) LaneWords merged;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    merged[lane] = (old[lane] & kept) | (halves[lane] & 0xffff) << shift;
  }
  writeRegister(wave, operand.index, merged, wave.exec());
}

/// Writes a result where EXEC has a lane.
template <class T>
void writeLanes(Wave& wave, const Operand& operand, const LaneBuffer<T>& result) {
  if constexpr (sizeof(T) == 2) {
    if ((operand.flags & (Operand::kHighHalf | Operand::kKeepOther)) != 0) {
      return writeHalf(wave, operand, result.value);
    }
  }
  if constexpr (sizeof(T) == 8) {
    alignas(64) LaneWords low;
    alignas(64) LaneWords high;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      low[lane] = static_cast<uint32_t>(result.value[lane]);
      high[lane] = static_cast<uint32_t>(result.value[lane] >> 32);
    }
    writeRegister(wave, operand.index, low, wave.exec());
    writeRegister(wave, operand.index + 1u, high, wave.exec());
  } else {
    writeRegister(wave, operand.index, result.value, wave.exec());
  }
}

/// A mask of lanes; bits of lanes that a wave of 32 does not have are unspecified.
inline uint64_t readMask(const Wave& wave, const Operand& operand) {
  return operand.registers == 1 ? wave.sgpr[operand.index] : uniformBits<uint64_t>(wave, operand);
}

inline void writeMask(Wave& wave, const Operand& operand, uint64_t mask) {
  if (operand.registers == 1) {
    wave.sgpr[operand.index] = static_cast<uint32_t>(mask);
  } else {
    wave.setPair(operand.index, mask);
  }
}

template <class T>
T readScalar(const Wave& wave, const Operand& operand) {
  return fromBits<T>(uniformBits<T>(wave, operand));
}

template <class T>
void writeScalar(Wave& wave, const Operand& operand, T value) {
  if constexpr (sizeof(T) == 8) {
    wave.setPair(operand.index, toBits(value));
  } else {
    wave.sgpr[operand.index] = toBits(value);
  }
}

} // namespace gpusim
