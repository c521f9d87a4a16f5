// Moves of vector registers, between lanes and scalars, and accumulation registers.
#include "../execution.h"
#include "../vector_operation.h"
#include "families.h"

namespace gpusim {

namespace {

uint32_t move(uint32_t a) {
  return a;
}
uint64_t movePairOfWords(uint64_t a) {
  return a;
}

/// Lane 0 when EXEC is empty.
Step readFirstLane(Wave& wave, const Instruction& instruction) {
  const Operand& source = instruction.operands[1];
  const uint64_t exec = wave.exec();
  const unsigned lane = exec == 0 ? 0 : static_cast<unsigned>(__builtin_ctzll(exec));
  wave.sgpr[instruction.operands[0].index] = source.kind == Operand::Kind::Vector
                                                 ? wave.vgpr[source.index][lane]
                                                 : uniformBits<uint32_t>(wave, source);
  return Step::Continue;
}

Step readLane(Wave& wave, const Instruction& instruction) {
  const Operand& source = instruction.operands[1];
  const uint32_t lane = readScalar<uint32_t>(wave, instruction.operands[2]) % wave.lanes;
  wave.sgpr[instruction.operands[0].index] = source.kind == Operand::Kind::Vector
                                                 ? wave.vgpr[source.index][lane]
                                                 : uniformBits<uint32_t>(wave, source);
  return Step::Continue;
}

/// Writes its lane whatever EXEC says.
Step writeLane(Wave& wave, const Instruction& instruction) {
  const uint32_t lane = readScalar<uint32_t>(wave, instruction.operands[2]) % wave.lanes;
  wave.vgpr[instruction.operands[0].index][lane] =
      readScalar<uint32_t>(wave, instruction.operands[1]);
  return Step::Continue;
}

constexpr OperandSpec kOut{Role::Definition, ValueType::Bits32};
constexpr OperandSpec kIn{Role::Use, ValueType::Bits32};
constexpr OperandSpec kHalfOut{Role::Definition, ValueType::Bits16};

Step swapRegisters(Wave& wave, const Instruction& instruction) {
  const uint16_t first = instruction.operands[0].index;
  const uint16_t second = instruction.operands[1].index;
  forEachLane(wave.exec(),
              [&](unsigned lane) { std::swap(wave.vgpr[first][lane], wave.vgpr[second][lane]); });
  return Step::Continue;
}

/// The halves may be of one register.
Step swapHalves(Wave& wave, const Instruction& instruction) {
  struct Place {
    uint32_t* lanes;
    unsigned shift;
    uint32_t get(unsigned lane) const { return lanes[lane] >> shift & 0xffff; }
    void set(unsigned lane, uint32_t half) const {
      lanes[lane] = (lanes[lane] & ~(0xffffu << shift)) | half << shift;
    }
  };
  const auto place = [&](const Operand& operand) {
    return Place{wave.vgpr[operand.index], (operand.flags & Operand::kHighHalf) != 0 ? 16u : 0u};
  };
  const Place first = place(instruction.operands[0]);
  const Place second = place(instruction.operands[1]);
  forEachLane(wave.exec(), [&](unsigned lane) {
    const uint32_t held = first.get(lane);
    first.set(lane, second.get(lane));
    second.set(lane, held);
  });
  return Step::Continue;
}

/// The words of a pair come from one half of each source, chosen by op_sel.
Step movePair(Wave& wave, const Instruction& instruction) {
  LaneBuffer<uint64_t> result;
  for (unsigned half = 0; half < 2; ++half) {
    const Operand& source = instruction.operands[1 + half];
    const bool high = (instruction.opSel >> half & 1) != 0;
    if (high && source.kind == Operand::Kind::Constant) {
      return wave.execution->fail(wave, instruction, Fault::Kind::Unsupported,
                                  "the upper half of a constant is not modelled");
    }
    LaneBuffer<uint64_t> buffer;
    const uint64_t* lanes = readLanes<uint64_t>(wave, source, buffer);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const uint64_t word = high ? lanes[lane] >> 32 : lanes[lane] & 0xffffffff;
      result.value[lane] = half == 0 ? word : result.value[lane] | word << 32;
    }
  }
  writeLanes<uint64_t>(wave, instruction.operands[0], result);
  return Step::Continue;
}

Step nothing(Wave&, const Instruction&) {
  return Step::Continue;
}

constexpr Opcode kOpcodes[] = {
    laneOpcode<move>("v_mov_b32"),
    laneOpcode<movePairOfWords>("v_mov_b64"),
    laneOpcode<move>("v_accvgpr_read_b32"),
    laneOpcode<move>("v_accvgpr_write_b32"),
    laneOpcode<move>("v_accvgpr_mov_b32"),
    {"v_readfirstlane_b32", readFirstLane, {{kOut, kIn}}, kNoIndexing, nullptr},
    {"v_readlane_b32", readLane, {{kOut, kIn, kIn}}, kNoIndexing, nullptr},
    {"v_writelane_b32", writeLane, {{kOut, kIn, kIn}}, kNoIndexing, nullptr},
    {"v_swap_b32", swapRegisters, {{kOut, kOut}}, kNoIndexing, nullptr},
    {"v_swap_b16", swapHalves, {{kHalfOut, kHalfOut}}, kNoIndexing, nullptr},
    {"v_pk_mov_b32",
     movePair,
     {{{Role::Definition, ValueType::Bits64},
       {Role::Use, ValueType::PackedFloat32},
       {Role::Use, ValueType::PackedFloat32}}},
     kOpSel | kOpSelHi | kNoIndexing,
     nullptr},
    {"v_nop", nothing, {}, kRawText, nullptr},
};

} // namespace

Family vectorMoveFamily() {
  return kOpcodes;
}

} // namespace gpusim
