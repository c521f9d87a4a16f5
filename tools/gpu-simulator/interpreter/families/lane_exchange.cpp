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

/// The lane that `lane` names by an address, among `kGroup` lanes around it.
template <unsigned kGroup>
unsigned targetLane(const Instruction& instruction, unsigned lane, uint32_t address) {
  const uint32_t named = (address + static_cast<uint32_t>(instruction.offset)) / 4;
  return lane / kGroup * kGroup + named % kGroup;
}

/// Operands: destination, lane address, data. Each lane reads from the lane it names.
template <unsigned kGroup>
Step backwardPermute(Wave& wave, const Instruction& instruction) {
  wave.execution->countMemoryOperation();
  const uint32_t* address = wave.vgpr[instruction.operands[1].index];
  LaneBuffer<uint32_t> result;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    result.value[lane] = valueOf(wave, instruction.operands[2].index,
                                 targetLane<kGroup>(instruction, lane, address[lane]));
  }
  writeLanes<uint32_t>(wave, instruction.operands[0], result);
  return Step::Continue;
}

/// Each lane writes to the lane it names; the highest of several writers wins.
template <unsigned kGroup>
Step forwardPermute(Wave& wave, const Instruction& instruction) {
  wave.execution->countMemoryOperation();
  const uint32_t* address = wave.vgpr[instruction.operands[1].index];
  const uint32_t* data = wave.vgpr[instruction.operands[2].index];
  LaneBuffer<uint32_t> result{};
  forEachLane(wave.exec(), [&](unsigned lane) {
    result.value[targetLane<kGroup>(instruction, lane, address[lane])] = data[lane];
  });
  writeLanes<uint32_t>(wave, instruction.operands[0], result);
  return Step::Continue;
}

constexpr uint32_t kQuadPattern = 0x8000;
constexpr uint32_t kRotatePattern = 0xc000;
constexpr uint32_t kFftPattern = 0xe000;

/// Rotates the bits of the lane number that the mask leaves, among 32 lanes.
unsigned rotatedLane(unsigned lane, uint32_t pattern) {
  const uint32_t mask = pattern & 31;
  const uint32_t distance = pattern >> 5 & 31;
  const uint32_t moved = (pattern >> 10 & 1) != 0 ? lane - distance : lane + distance;
  return (lane & 32) | (lane & mask) | (moved & ~mask & 31);
}

/// The order of a fast Fourier transform: reversed bits of the lane number above those of the mask.
unsigned fftLane(unsigned lane, uint32_t pattern) {
  const uint32_t mask = pattern & 31;
  unsigned reversed = 0;
  for (unsigned bit = 0; bit < 5; ++bit) {
    reversed |= (lane >> bit & 1) << (4 - bit);
  }
  return (lane & 32) | (lane & mask) | reversed >> __builtin_popcount(mask);
}

unsigned swizzledLane(unsigned lane, uint32_t pattern) {
  if (pattern >= kFftPattern) {
    return fftLane(lane, pattern);
  }
  if (pattern >= kRotatePattern) {
    return rotatedLane(lane, pattern);
  }
  if ((pattern & kQuadPattern) != 0) {
    return (lane & ~3u) | (pattern >> 2 * (lane & 3) & 3);
  }
  return (lane & 32) | (((lane & pattern & 31) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31));
}

/// The pattern is in the instruction: a permutation of each quad, bit masks within 32 lanes, a
/// rotation, or the order of a Fourier transform.
Step swizzle(Wave& wave, const Instruction& instruction) {
  const uint32_t pattern = instruction.immediate();
  if ((pattern & 0xff00) != kQuadPattern && (pattern & 0xc000) == kQuadPattern) {
    return wave.execution->fail(wave, instruction, Fault::Kind::Unsupported,
                                "this swizzle pattern is not defined");
  }
  wave.execution->countMemoryOperation();
  LaneBuffer<uint32_t> result;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned source = swizzledLane(lane, pattern);
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

/// Each lane reads from a lane of its row of 16, or with `kOtherRow` of the row beside it.
/// Operands: destination, data, and four bits for each position of a row: the lower eight, the
/// upper eight. op_sel holds "fetch inactive" and "bound control".
template <bool kOtherRow>
Step permuteRows(Wave& wave, const Instruction& instruction) {
  const uint64_t selectors =
      readScalar<uint32_t>(wave, instruction.operands[2]) |
      static_cast<uint64_t>(readScalar<uint32_t>(wave, instruction.operands[3])) << 32;
  LaneBuffer<uint32_t> buffer;
  const uint32_t* data = readLanes<uint32_t>(wave, instruction.operands[1], buffer);
  const uint32_t* old = wave.vgpr[instruction.operands[0].index];
  const bool fetchInactive = (instruction.opSel & 1) != 0;
  const bool boundControl = (instruction.opSel & 2) != 0;
  const uint64_t readable = fetchInactive ? wave.laneMask : wave.exec();
  LaneBuffer<uint32_t> result;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned row = (lane & ~15u) ^ (kOtherRow ? 16u : 0u);
    const unsigned from = row + static_cast<unsigned>(selectors >> 4 * (lane & 15) & 15);
    result.value[lane] = (readable >> from & 1) != 0 ? data[from] : boundControl ? 0 : old[lane];
  }
  writeLanes<uint32_t>(wave, instruction.operands[0], result);
  return Step::Continue;
}

/// The halves of a wave of 64 lanes change places; in a wave of 32 nothing moves.
Step exchangeHalves(Wave& wave, const Instruction& instruction) {
  LaneBuffer<uint32_t> buffer;
  const uint32_t* data = readLanes<uint32_t>(wave, instruction.operands[1], buffer);
  const unsigned distance = wave.lanes == kLanes ? kLanes / 2 : 0;
  LaneBuffer<uint32_t> result;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    result.value[lane] = data[lane ^ distance];
  }
  writeLanes<uint32_t>(wave, instruction.operands[0], result);
  return Step::Continue;
}

constexpr OperandSpec kOut{Role::Definition, ValueType::Bits32};
constexpr OperandSpec kIn{Role::Use, ValueType::Bits32};

constexpr Opcode kOpcodes[] = {
    {"ds_bpermute_b32", backwardPermute<64>, {{kOut, kIn, kIn}}, kOffset, nullptr},
    {"ds_permute_b32", forwardPermute<64>, {{kOut, kIn, kIn}}, kOffset, nullptr},
    {"ds_swizzle_b32", swizzle, {{kOut, kIn}}, kOffset, nullptr},
    {"v_mbcnt_lo_u32_b32", countLower<false>, {{kOut, kIn, kIn}}, 0, nullptr},
    {"v_mbcnt_hi_u32_b32", countLower<true>, {{kOut, kIn, kIn}}, 0, nullptr},
};

/// RDNA: a wave of 64 lanes permutes its halves separately.
constexpr uint32_t kPermuteModifiers = kOpSel | kOpSelHi;
constexpr Opcode kOpcodesOf32[] = {
    {"ds_bpermute_b32", backwardPermute<32>, {{kOut, kIn, kIn}}, kOffset, nullptr},
    {"ds_permute_b32", forwardPermute<32>, {{kOut, kIn, kIn}}, kOffset, nullptr},
    {"v_permlane16_b32", permuteRows<false>, {{kOut, kIn, kIn, kIn}}, kPermuteModifiers, nullptr},
    {"v_permlane64_b32", exchangeHalves, {{kOut, kIn}}, 0, nullptr},
    {"v_permlanex16_b32", permuteRows<true>, {{kOut, kIn, kIn, kIn}}, kPermuteModifiers, nullptr},
};

} // namespace

Family laneExchangeFamily() {
  return kOpcodes;
}

Family laneExchangeOf32Family() {
  return kOpcodesOf32;
}

} // namespace gpusim
