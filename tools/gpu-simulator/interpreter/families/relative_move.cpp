// Moves whose register numbers are relative to M0: how RDNA indexes registers.
#include <utility>

#include "../execution.h"
#include "../operand_access.h"
#include "families.h"

namespace gpusim {

namespace {

/// What M0 adds to register numbers.
struct Relative {
  uint32_t source = 0;
  uint32_t destination = 0;
};

Relative ofSource(uint32_t m0) {
  return {.source = m0};
}
Relative ofDestination(uint32_t m0) {
  return {.destination = m0};
}
Relative ofBoth(uint32_t m0) {
  return {.source = m0, .destination = m0};
}
/// Ten bits each.
Relative ofBothApart(uint32_t m0) {
  return {.source = m0 & 0x3ff, .destination = m0 >> 16 & 0x3ff};
}

/// False when the operand then leaves the register file.
bool moveOperand(Operand& operand, uint32_t distance) {
  const uint32_t end = operand.kind == Operand::Kind::Vector ? vector::kAccumulation : scalar::kVcc;
  const uint32_t index = operand.index + distance;
  if (distance >= end || index + operand.registers > end) {
    return false;
  }
  operand.index = static_cast<uint16_t>(index);
  return true;
}

Step refuse(Wave& wave, const Instruction& instruction) {
  return wave.execution->fail(wave, instruction, Fault::Kind::Unsupported,
                              "the index in M0 leaves the register file");
}

template <auto Distances>
Step moveLanes(Wave& wave, const Instruction& instruction) {
  const Relative relative = Distances(wave.sgpr[scalar::kM0]);
  Operand destination = instruction.operands[0];
  Operand source = instruction.operands[1];
  const bool sourceMoves = relative.source != 0;
  if (!moveOperand(destination, relative.destination) ||
      (sourceMoves && source.kind == Operand::Kind::Constant) ||
      (sourceMoves && !moveOperand(source, relative.source))) {
    return refuse(wave, instruction);
  }
  LaneBuffer<uint32_t> buffer;
  const uint32_t* lanes = readLanes<uint32_t>(wave, source, buffer);
  writeRegister(wave, destination.index, lanes, wave.exec());
  return Step::Continue;
}

Step swapLanes(Wave& wave, const Instruction& instruction) {
  const Relative relative = ofBothApart(wave.sgpr[scalar::kM0]);
  Operand first = instruction.operands[0];
  Operand second = instruction.operands[1];
  if (!moveOperand(first, relative.destination) || !moveOperand(second, relative.source)) {
    return refuse(wave, instruction);
  }
  forEachLane(wave.exec(), [&](unsigned lane) {
    std::swap(wave.vgpr[first.index][lane], wave.vgpr[second.index][lane]);
  });
  return Step::Continue;
}

template <class T, auto Distances>
Step moveScalars(Wave& wave, const Instruction& instruction) {
  const Relative relative = Distances(wave.sgpr[scalar::kM0]);
  Operand destination = instruction.operands[0];
  Operand source = instruction.operands[1];
  if (!moveOperand(destination, relative.destination) ||
      (relative.source != 0 && !moveOperand(source, relative.source))) {
    return refuse(wave, instruction);
  }
  writeScalar<T>(wave, destination, readScalar<T>(wave, source));
  return Step::Continue;
}

constexpr OperandSpec kOut{Role::Definition, ValueType::Bits32};
constexpr OperandSpec kIn{Role::Use, ValueType::Bits32};
constexpr OperandSpec kPairOut{Role::Definition, ValueType::Bits64};
constexpr OperandSpec kPairIn{Role::Use, ValueType::Bits64};

constexpr Opcode kOpcodes[] = {
    {"v_movrels_b32", moveLanes<ofSource>, {{kOut, kIn}}, 0, nullptr},
    {"v_movreld_b32", moveLanes<ofDestination>, {{kOut, kIn}}, 0, nullptr},
    {"v_movrelsd_b32", moveLanes<ofBoth>, {{kOut, kIn}}, 0, nullptr},
    {"v_movrelsd_2_b32", moveLanes<ofBothApart>, {{kOut, kIn}}, 0, nullptr},
    {"v_swaprel_b32", swapLanes, {{kOut, kOut}}, 0, nullptr},
    {"s_movrels_b32", moveScalars<uint32_t, ofSource>, {{kOut, kIn}}, 0, nullptr},
    {"s_movrels_b64", moveScalars<uint64_t, ofSource>, {{kPairOut, kPairIn}}, 0, nullptr},
    {"s_movreld_b32", moveScalars<uint32_t, ofDestination>, {{kOut, kIn}}, 0, nullptr},
    {"s_movreld_b64", moveScalars<uint64_t, ofDestination>, {{kPairOut, kPairIn}}, 0, nullptr},
    {"s_movrelsd_2_b32", moveScalars<uint32_t, ofBothApart>, {{kOut, kIn}}, 0, nullptr},
};

} // namespace

Family relativeMoveFamily() {
  return kOpcodes;
}

} // namespace gpusim
