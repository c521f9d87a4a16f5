// VOP3P operations on two halves or two singles, and the move of two registers.
#include <algorithm>

#include "../execution.h"
#include "families.h"
#include "lane_handler.h"
#include "packed_operand.h"

namespace gpusim {

namespace {

// The first temporary is left to DPP, whose moved source may be one of ours.
constexpr uint16_t kSources = vector::kTemporary + 2;
constexpr uint16_t kResults = vector::kTemporary + 5;

constexpr char kAddHalf[] = "v_add_f16";
constexpr char kMultiplyHalf[] = "v_mul_f16";
constexpr char kFuseHalf[] = "v_fma_f16";
constexpr char kMinimumHalf[] = "v_min_f16";
constexpr char kMaximumHalf[] = "v_max_f16";
constexpr char kLeastHalf[] = "v_minimum3_f16";
constexpr char kGreatestHalf[] = "v_maximum3_f16";
constexpr char kAddSingle[] = "v_add_f32";
constexpr char kMultiplySingle[] = "v_mul_f32";
constexpr char kFuseSingle[] = "v_fma_f32";

/// What neg_lo or neg_hi does to source `source` of the result `part`.
uint8_t signFlag(const Instruction& instruction, unsigned part, unsigned source) {
  const uint8_t signs = part == 0 ? instruction.negLo : instruction.negHi;
  return (signs >> source & 1) != 0 ? Operand::kNegate : 0;
}

Operand temporary(uint16_t index, uint8_t flags = 0) {
  Operand operand;
  operand.kind = Operand::Kind::Vector;
  operand.index = index;
  operand.registers = 1;
  operand.flags = flags;
  return operand;
}

/// The instruction of one element: nothing is left to select in it.
Instruction elementOf(const Instruction& instruction, unsigned part) {
  Instruction element = instruction;
  element.opSel = 0;
  element.operands[0] = temporary(static_cast<uint16_t>(kResults + part));
  return element;
}

template <const auto& kLane, unsigned kCount>
Step runHalves(Wave& wave, const Instruction& instruction) {
  for (unsigned part = 0; part < 2; ++part) {
    Instruction element = elementOf(instruction, part);
    for (unsigned source = 0; source < kCount; ++source) {
      const auto index = static_cast<uint16_t>(kSources + source);
      readHalves(wave, instruction, part, source, wave.vgpr[index]);
      element.operands[source + 1] = temporary(index, signFlag(instruction, part, source));
    }
    laneHandler<kLane>()(wave, element);
  }
  writeHalfPair(wave, instruction.operands[0], wave.vgpr[kResults], wave.vgpr[kResults + 1]);
  return Step::Continue;
}

/// The destination is the third source, which the text does not repeat.
Step accumulateHalves(Wave& wave, const Instruction& instruction) {
  Instruction full = instruction;
  full.operands[3] = instruction.operands[0];
  return runHalves<kFuseHalf, 3>(wave, full);
}

/// One register of a pair. Constants fill the low one; what they give to the high one is not
/// documented, except for zero.
bool takeRegister(Operand& operand, bool upper) {
  operand.registers = 1;
  if (!upper) {
    return true;
  }
  operand.index = static_cast<uint16_t>(operand.index + 1);
  return operand.kind != Operand::Kind::Constant || operand.constant == 0;
}

Step refuseConstant(Wave& wave, const Instruction& instruction) {
  return wave.execution->fail(wave, instruction, Fault::Kind::Unsupported,
                              "the upper half of a constant is not modelled");
}

void writePair(Wave& wave, const Instruction& instruction) {
  for (unsigned part = 0; part < 2; ++part) {
    writeRegister(wave, instruction.operands[0].index + part, wave.vgpr[kResults + part],
                  wave.exec());
  }
}

template <const auto& kLane, unsigned kCount>
Step runSingles(Wave& wave, const Instruction& instruction) {
  for (unsigned part = 0; part < 2; ++part) {
    Instruction element = elementOf(instruction, part);
    for (unsigned source = 0; source < kCount; ++source) {
      Operand& operand = element.operands[source + 1];
      operand.flags = signFlag(instruction, part, source);
      if (!takeRegister(operand, selectsUpper(instruction, part, source))) {
        return refuseConstant(wave, instruction);
      }
    }
    laneHandler<kLane>()(wave, element);
  }
  writePair(wave, instruction);
  return Step::Continue;
}

/// Unlike the others, the low result is the first source and the high result the second.
Step moveRegisters(Wave& wave, const Instruction& instruction) {
  for (unsigned part = 0; part < 2; ++part) {
    Operand operand = instruction.operands[part + 1];
    if (!takeRegister(operand, selectsUpper(instruction, 0, part))) {
      return refuseConstant(wave, instruction);
    }
    LaneBuffer<uint32_t> buffer;
    const uint32_t* words = readLanes<uint32_t>(wave, operand, buffer);
    std::copy_n(words, kLanes, wave.vgpr[kResults + part]);
  }
  writePair(wave, instruction);
  return Step::Continue;
}

constexpr uint32_t kPackedModifiers = kOpSel | kOpSelHi | kNegLo | kClamp;

constexpr Opcode packed(std::string_view mnemonic, Handler run, ValueType type, unsigned sources,
                        uint32_t modifiers) {
  Opcode opcode{mnemonic, run, {}, modifiers | kNoIndexing, nullptr};
  opcode.operands[0] = {Role::Definition, type};
  for (unsigned source = 1; source <= sources; ++source) {
    opcode.operands[source] = {Role::Use, type};
  }
  return opcode;
}

template <const auto& kLane, unsigned kCount>
constexpr Opcode halves(std::string_view mnemonic) {
  return packed(mnemonic, &runHalves<kLane, kCount>, ValueType::PackedFloat16, kCount,
                kPackedModifiers);
}

template <const auto& kLane, unsigned kCount>
constexpr Opcode singles(std::string_view mnemonic) {
  return packed(mnemonic, &runSingles<kLane, kCount>, ValueType::PackedFloat32, kCount,
                kPackedModifiers);
}

constexpr Opcode kOpcodes[] = {
    halves<kAddHalf, 2>("v_pk_add_f16"),
    halves<kMultiplyHalf, 2>("v_pk_mul_f16"),
    halves<kFuseHalf, 3>("v_pk_fma_f16"),
    halves<kMinimumHalf, 2>("v_pk_min_f16"),
    halves<kMaximumHalf, 2>("v_pk_max_f16"),
    halves<kLeastHalf, 3>("v_pk_minimum3_f16"),
    halves<kGreatestHalf, 3>("v_pk_maximum3_f16"),
    packed("v_pk_fmac_f16", accumulateHalves, ValueType::PackedFloat16, 2, 0),
    singles<kAddSingle, 2>("v_pk_add_f32"),
    singles<kMultiplySingle, 2>("v_pk_mul_f32"),
    singles<kFuseSingle, 3>("v_pk_fma_f32"),
    packed("v_pk_mov_b32", moveRegisters, ValueType::PackedFloat32, 2, kOpSel),
};

} // namespace

Family packedFloatFamily() {
  return kOpcodes;
}

} // namespace gpusim
