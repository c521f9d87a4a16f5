// Operations in which lanes see each other: permutes, swizzles and lane counts.
#include "../execution.h"
#include "../vector_operation.h"
#include "families.h"

namespace gpusim {

namespace {

/// A lane's value, 0 when the lane is not active.
uint32_t valueOf(const Wave& wave, unsigned index, unsigned lane) {
  return (wave.exec() >> lane & 1) != 0 ? wave.vgpr[index][lane] : 0;
}

unsigned targetLane(const Instruction& instruction, uint32_t address) {
  return (address + static_cast<uint32_t>(instruction.offset)) / 4 % kLanes;
}

/// Operands: destination, lane address, data. Each lane reads from the lane it names.
Step backwardPermute(Wave& wave, const Instruction& instruction) {
  wave.execution->countMemoryOperation();
  const uint32_t* address = wave.vgpr[instruction.operands[1].index];
  LaneBuffer<uint32_t> result;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    result.value[lane] =
        valueOf(wave, instruction.operands[2].index, targetLane(instruction, address[lane]));
  }
  writeLanes<uint32_t>(wave, instruction.operands[0], result);
  return Step::Continue;
}

/// Each lane writes to the lane it names; the highest of several writers wins.
Step forwardPermute(Wave& wave, const Instruction& instruction) {
  wave.execution->countMemoryOperation();
  const uint32_t* address = wave.vgpr[instruction.operands[1].index];
  const uint32_t* data = wave.vgpr[instruction.operands[2].index];
  LaneBuffer<uint32_t> result{};
  forEachLane(wave.exec(), [&](unsigned lane) {
    result.value[targetLane(instruction, address[lane])] = data[lane];
  });
  writeLanes<uint32_t>(wave, instruction.operands[0], result);
  return Step::Continue;
}

/// The pattern is in the instruction: a permutation of each quad, or bit masks within 32 lanes.
Step swizzle(Wave& wave, const Instruction& instruction) {
  constexpr uint32_t kQuadMode = 0x8000;
  const uint32_t pattern = instruction.immediate();
  const bool quad = (pattern & 0xff00) == kQuadMode;
  if (!quad && (pattern & kQuadMode) != 0) {
    return wave.execution->fail(wave, instruction, Fault::Kind::Unsupported,
                                "the rotate and FFT swizzles are not modelled");
  }
  wave.execution->countMemoryOperation();
  LaneBuffer<uint32_t> result;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned masked = ((lane & pattern & 31) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31);
    const unsigned source =
        quad ? (lane & ~3u) | (pattern >> 2 * (lane & 3) & 3) : (lane & 32) | masked;
    result.value[lane] = valueOf(wave, instruction.operands[1].index, source);
  }
  writeLanes<uint32_t>(wave, instruction.operands[0], result);
  return Step::Continue;
}

/// Counts the mask bits of lower lanes, in the lower or the upper half of the wave.
template <bool kHigh>
Step countLower(Wave& wave, const Instruction& instruction) {
  LaneBuffer<uint32_t> maskBuffer;
  LaneBuffer<uint32_t> addBuffer;
  const uint32_t* mask = readLanes<uint32_t>(wave, instruction.operands[1], maskBuffer);
  const uint32_t* add = readLanes<uint32_t>(wave, instruction.operands[2], addBuffer);
  LaneBuffer<uint32_t> result;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint64_t lower = (uint64_t{1} << lane) - 1;
    const auto half = static_cast<uint32_t>(kHigh ? lower >> 32 : lower);
    result.value[lane] = static_cast<uint32_t>(__builtin_popcount(mask[lane] & half)) + add[lane];
  }
  writeLanes<uint32_t>(wave, instruction.operands[0], result);
  return Step::Continue;
}

constexpr OperandSpec kOut{Role::Definition, ValueType::Bits32};
constexpr OperandSpec kIn{Role::Use, ValueType::Bits32};

constexpr Opcode kOpcodes[] = {
    {"ds_bpermute_b32", backwardPermute, {{kOut, kIn, kIn}}, kOffset, nullptr},
    {"ds_permute_b32", forwardPermute, {{kOut, kIn, kIn}}, kOffset, nullptr},
    {"ds_swizzle_b32", swizzle, {{kOut, kIn}}, kOffset, nullptr},
    {"v_mbcnt_lo_u32_b32", countLower<false>, {{kOut, kIn, kIn}}, 0, nullptr},
    {"v_mbcnt_hi_u32_b32", countLower<true>, {{kOut, kIn, kIn}}, 0, nullptr},
};

} // namespace

Family laneExchangeFamily() {
  return kOpcodes;
}

} // namespace gpusim
