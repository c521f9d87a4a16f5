// Bit operations of gfx950: any function of three bits, saturated shifts into bytes, a step of a
// pseudorandom sequence, and lanes that change places between two registers.
#include <algorithm>

#include "../vector_operation.h"
#include "families.h"

namespace gpusim {

namespace {

/// The table has a bit for each combination of the bits of the sources, the first one highest.
template <class T>
Step anyOfThree(Wave& wave, const Instruction& instruction) {
  LaneBuffer<T> buffers[3];
  const uint32_t* sources[3];
  for (unsigned source = 0; source < 3; ++source) {
    sources[source] = readLanes<T>(wave, instruction.operands[source + 1], buffers[source]);
  }
  LaneBuffer<T> result{};
  for (unsigned combination = 0; combination < 8; ++combination) {
    if ((instruction.bitTable >> combination & 1) == 0) {
      continue;
    }
    const auto inverted = [&](unsigned source) { return (combination >> (2 - source) & 1) - 1; };
    const uint32_t flips[] = {inverted(0), inverted(1), inverted(2)};
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      result.value[lane] |= (sources[0][lane] ^ flips[0]) & (sources[1][lane] ^ flips[1]) &
                            (sources[2][lane] ^ flips[2]);
    }
  }
  writeLanes<T>(wave, instruction.operands[0], result);
  return Step::Continue;
}

template <class T>
constexpr Opcode anyOfThreeOpcode(std::string_view mnemonic, uint32_t modifiers) {
  constexpr OperandSpec kIn{Role::Use, valueTypeOf<T>()};
  return {mnemonic,
          anyOfThree<T>,
          {{{Role::Definition, valueTypeOf<T>()}, kIn, kIn, kIn}},
          modifiers | kBitTable,
          nullptr};
}

/// Two bytes in the half that op_sel names.
template <int32_t kLow, int32_t kHigh>
uint16_t shiftedBytes(int32_t low, int32_t high, uint32_t count) {
  const auto byte = [count](int32_t value) {
    return static_cast<uint32_t>(std::clamp(value >> (count & 31), kLow, kHigh)) & 0xff;
  };
  return static_cast<uint16_t>(byte(low) | byte(high) << 8);
}

/// A linear feedback shift register.
uint32_t nextRandom(uint32_t state) {
  constexpr uint32_t kFeedback = 0xc5;
  return state << 1 ^ (state >> 31 != 0 ? kFeedback : 0);
}

/// What a lane gets from its partner: nothing, when that is not active and not read in any case.
uint32_t exchanged(const Wave& wave, const Instruction& instruction, unsigned partner,
                   uint32_t given, uint32_t own) {
  const bool readable = instruction.form.fetchInactive || (wave.exec() >> partner & 1) != 0;
  return readable ? given : instruction.form.boundControl ? 0 : own;
}

/// The odd groups of `kGroup` lanes of the first register change places with the even ones of the
/// second.
template <unsigned kGroup>
Step swapGroups(Wave& wave, const Instruction& instruction) {
  uint32_t* first = wave.vgpr[instruction.operands[0].index];
  uint32_t* second = wave.vgpr[instruction.operands[1].index];
  LaneBuffer<uint32_t> results[2];
  std::copy_n(first, kLanes, results[0].value);
  std::copy_n(second, kLanes, results[1].value);
  for (unsigned even = 0; even < kLanes; ++even) {
    if ((even & kGroup) == 0) {
      const unsigned odd = even + kGroup;
      results[0].value[odd] = exchanged(wave, instruction, even, second[even], first[odd]);
      results[1].value[even] = exchanged(wave, instruction, odd, first[odd], second[even]);
    }
  }
  writeLanes<uint32_t>(wave, instruction.operands[0], results[0]);
  writeLanes<uint32_t>(wave, instruction.operands[1], results[1]);
  return Step::Continue;
}

constexpr OperandSpec kChanged{Role::Definition, ValueType::Bits32};

constexpr Opcode kOpcodes[] = {
    anyOfThreeOpcode<uint32_t>("v_bitop3_b32", 0),
    anyOfThreeOpcode<uint16_t>("v_bitop3_b16", kOpSel),
    laneOpcode<shiftedBytes<-128, 127>>("v_ashr_pk_i8_i32", kOpSel),
    laneOpcode<shiftedBytes<0, 255>>("v_ashr_pk_u8_i32", kOpSel),
    laneOpcode<nextRandom>("v_prng_b32"),
    {"v_permlane16_swap_b32", swapGroups<16>, {{kChanged, kChanged}}, kLaneBounds, nullptr},
    {"v_permlane32_swap_b32", swapGroups<32>, {{kChanged, kChanged}}, kLaneBounds, nullptr},
};

} // namespace

Family bitOperationFamily() {
  return kOpcodes;
}

} // namespace gpusim
