// Integer dot products: the products of 2, 4 or 8 parts of two registers, added to a third.
#include <algorithm>
#include <cstdint>
#include <limits>

#include "../execution.h"
#include "../vector_operation.h"
#include "families.h"
#include "packed_operand.h"

namespace gpusim {

namespace {

/// Part `index` of a word of 32 / kBits of them.
template <class Sum, unsigned kBits>
int64_t part(uint32_t word, unsigned index) {
  const uint32_t aligned = word << (32 - kBits * (index + 1));
  if constexpr (std::is_signed_v<Sum>) {
    return static_cast<int32_t>(aligned) >> (32 - kBits);
  } else {
    return aligned >> (32 - kBits);
  }
}

/// Exact: neither products nor their sum reach 64 bits.
template <class Sum, unsigned kBits>
int64_t exactDot(uint32_t a, uint32_t b, Sum c) {
  int64_t sum = c;
  for (unsigned index = 0; index < 32 / kBits; ++index) {
    sum += part<Sum, kBits>(a, index) * part<Sum, kBits>(b, index);
  }
  return sum;
}

template <class Sum, unsigned kBits>
Sum dot(uint32_t a, uint32_t b, Sum c) {
  return static_cast<Sum>(exactDot<Sum, kBits>(a, b, c));
}

template <class Sum, unsigned kBits>
Sum dotSaturating(uint32_t a, uint32_t b, Sum c) {
  return static_cast<Sum>(std::clamp<int64_t>(exactDot<Sum, kBits>(a, b, c),
                                              std::numeric_limits<Sum>::min(),
                                              std::numeric_limits<Sum>::max()));
}

/// With two factors a register: op_sel and op_sel_hi choose the halves.
template <class Sum, Sum (*Operation)(uint32_t, uint32_t, Sum)>
Step dotOfHalves(Wave& wave, const Instruction& instruction) {
  alignas(64) LaneWords factors[2];
  for (unsigned source = 0; source < 2; ++source) {
    alignas(64) LaneWords high;
    readHalves(wave, instruction, 0, source, factors[source]);
    readHalves(wave, instruction, 1, source, high);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      factors[source][lane] |= high[lane] << 16;
    }
  }
  LaneBuffer<Sum> buffer;
  const LaneBits<Sum>* addends = readLanes<Sum>(wave, instruction.operands[3], buffer);
  LaneBuffer<Sum> result;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    result.value[lane] =
        toBits<Sum>(Operation(factors[0][lane], factors[1][lane], fromBits<Sum>(addends[lane])));
  }
  writeLanes<Sum>(wave, instruction.operands[0], result);
  return Step::Continue;
}

/// The same with the destination as the third source, which the text does not repeat.
template <auto Operation>
Step accumulate(Wave& wave, const Instruction& instruction) {
  Instruction full = instruction;
  full.operands[3] = instruction.operands[0];
  return LaneOperation<Operation>::run(wave, full);
}

/// The parts of a factor are signed where its bit of neg_lo is set.
template <unsigned kBits>
int64_t partOf(uint32_t word, unsigned index, bool isSigned) {
  return isSigned ? part<int32_t, kBits>(word, index) : part<uint32_t, kBits>(word, index);
}

template <unsigned kBits>
Step mixedDot(Wave& wave, const Instruction& instruction) {
  if (instruction.negHi != 0 || (instruction.negLo & 4) != 0) {
    return wave.execution->fail(wave, instruction, Fault::Kind::Unsupported,
                                "neg_hi, and neg_lo of the third source, stand for nothing here");
  }
  LaneBuffer<uint32_t> buffers[3];
  const uint32_t* sources[3];
  for (unsigned source = 0; source < 3; ++source) {
    sources[source] = readLanes<uint32_t>(wave, instruction.operands[source + 1], buffers[source]);
  }
  LaneBuffer<uint32_t> result;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    int64_t sum = static_cast<int32_t>(sources[2][lane]);
    for (unsigned index = 0; index < 32 / kBits; ++index) {
      sum += partOf<kBits>(sources[0][lane], index, (instruction.negLo & 1) != 0) *
             partOf<kBits>(sources[1][lane], index, (instruction.negLo & 2) != 0);
    }
    result.value[lane] = static_cast<uint32_t>(
        instruction.clamp ? std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX) : sum);
  }
  writeLanes<uint32_t>(wave, instruction.operands[0], result);
  return Step::Continue;
}

template <unsigned kBits>
constexpr Opcode mixedDotOpcode(std::string_view mnemonic) {
  constexpr OperandSpec kIn{Role::Use, ValueType::Bits32};
  return {mnemonic,
          mixedDot<kBits>,
          {{{Role::Definition, ValueType::Bits32}, kIn, kIn, kIn}},
          kNegLo | kClamp | kNoIndexing,
          nullptr};
}

template <class Sum, unsigned kBits>
constexpr Opcode dotOpcode(std::string_view mnemonic) {
  return saturatingOpcode<dot<Sum, kBits>, dotSaturating<Sum, kBits>>(mnemonic, kNoIndexing);
}

template <class Sum>
constexpr Opcode halvesOpcode(std::string_view mnemonic) {
  Opcode opcode = dotOpcode<Sum, 16>(mnemonic);
  opcode.modifiers |= kOpSel | kOpSelHi;
  opcode.run = dotOfHalves<Sum, dot<Sum, 16>>;
  opcode.runClamped = dotOfHalves<Sum, dotSaturating<Sum, 16>>;
  return opcode;
}

template <unsigned kBits>
constexpr Opcode accumulatingOpcode(std::string_view mnemonic) {
  Opcode opcode = dotOpcode<int32_t, kBits>(mnemonic);
  opcode.operands[3] = {};
  opcode.run = accumulate<dot<int32_t, kBits>>;
  opcode.runClamped = accumulate<dotSaturating<int32_t, kBits>>;
  return opcode;
}

constexpr Opcode kOpcodes[] = {
    halvesOpcode<int32_t>("v_dot2_i32_i16"),   halvesOpcode<uint32_t>("v_dot2_u32_u16"),
    dotOpcode<int32_t, 8>("v_dot4_i32_i8"),    dotOpcode<uint32_t, 8>("v_dot4_u32_u8"),
    mixedDotOpcode<8>("v_dot4_i32_iu8"),       mixedDotOpcode<4>("v_dot8_i32_iu4"),
    dotOpcode<int32_t, 4>("v_dot8_i32_i4"),    dotOpcode<uint32_t, 4>("v_dot8_u32_u4"),
    accumulatingOpcode<16>("v_dot2c_i32_i16"), accumulatingOpcode<8>("v_dot4c_i32_i8"),
    accumulatingOpcode<4>("v_dot8c_i32_i4"),
};

} // namespace

Family dotProductFamily() {
  return kOpcodes;
}

} // namespace gpusim
