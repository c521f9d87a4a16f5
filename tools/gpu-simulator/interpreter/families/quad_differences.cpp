// Sums of absolute differences at four neighbouring positions of one window.
#include "../execution.h"
#include "../operand_access.h"
#include "families.h"

namespace gpusim {

namespace {

constexpr unsigned kPositions = 4;

/// Differences of the four bytes, added. `kMasked`: bytes of the reference that are 0 do not count.
template <bool kMasked>
uint32_t differences(uint32_t window, uint32_t reference) {
  uint32_t sum = 0;
  for (unsigned shift = 0; shift < 32; shift += 8) {
    const uint32_t a = window >> shift & 0xff;
    const uint32_t b = reference >> shift & 0xff;
    const bool counts = !kMasked || b != 0;
    sum += !counts ? 0 : a > b ? a - b : b - a;
  }
  return sum;
}

uint32_t windowAt(uint64_t bytes, unsigned position) {
  return static_cast<uint32_t>(bytes >> 8 * position);
}

/// Four sums of 16 bits. Operands: destination, window of 8 bytes, reference, four sums to add to.
template <bool kMasked, bool kSaturates>
Step packedSums(Wave& wave, const Instruction& instruction) {
  LaneBuffer<uint64_t> windows;
  LaneBuffer<uint32_t> references;
  LaneBuffer<uint64_t> sums;
  const uint64_t* window = readLanes<uint64_t>(wave, instruction.operands[1], windows);
  const uint32_t* reference = readLanes<uint32_t>(wave, instruction.operands[2], references);
  const uint64_t* before = readLanes<uint64_t>(wave, instruction.operands[3], sums);
  LaneBuffer<uint64_t> result;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    uint64_t packed = 0;
    for (unsigned position = 0; position < kPositions; ++position) {
      const unsigned shift = 16 * position;
      const uint64_t sum = (before[lane] >> shift & 0xffff) +
                           differences<kMasked>(windowAt(window[lane], position), reference[lane]);
      packed |= (kSaturates && sum > 0xffff ? 0xffff : sum & 0xffff) << shift;
    }
    result.value[lane] = packed;
  }
  writeLanes<uint64_t>(wave, instruction.operands[0], result);
  return Step::Continue;
}

/// Four sums of 32 bits in four registers. Sources may overlap the destination.
template <bool kSaturates>
Step wideSums(Wave& wave, const Instruction& instruction) {
  const Operand& addend = instruction.operands[3];
  if (addend.kind != Operand::Kind::Vector || addend.registers != kPositions) {
    return wave.execution->fail(wave, instruction, Fault::Kind::Unsupported,
                                "sums that are not in vector registers are not modelled");
  }
  LaneBuffer<uint64_t> windows;
  LaneBuffer<uint32_t> references;
  const uint64_t* window = readLanes<uint64_t>(wave, instruction.operands[1], windows);
  const uint32_t* reference = readLanes<uint32_t>(wave, instruction.operands[2], references);
  alignas(64) uint32_t result[kPositions][kLanes];
  for (unsigned position = 0; position < kPositions; ++position) {
    const uint32_t* before = wave.vgpr[addend.index + position];
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const uint64_t sum = uint64_t{before[lane]} +
                           differences<true>(windowAt(window[lane], position), reference[lane]);
      result[position][lane] =
          kSaturates && sum > 0xffffffff ? 0xffffffff : static_cast<uint32_t>(sum);
    }
  }
  for (unsigned position = 0; position < kPositions; ++position) {
    writeRegister(wave, instruction.operands[0].index + position, result[position], wave.exec());
  }
  return Step::Continue;
}

constexpr std::array<OperandSpec, kMaxOperands> operandsOf(ValueType sums) {
  return {{{Role::Definition, sums},
           {Role::Use, ValueType::Bits64},
           {Role::Use, ValueType::Bits32},
           {Role::Use, sums}}};
}

constexpr Opcode kOpcodes[] = {
    {"v_qsad_pk_u16_u8", packedSums<false, false>, operandsOf(ValueType::Bits64), kClamp,
     packedSums<false, true>},
    {"v_mqsad_pk_u16_u8", packedSums<true, false>, operandsOf(ValueType::Bits64), kClamp,
     packedSums<true, true>},
    {"v_mqsad_u32_u8", wideSums<false>, operandsOf(ValueType::Wide), kClamp | kNoIndexing,
     wideSums<true>},
};

} // namespace

Family quadDifferencesFamily() {
  return kOpcodes;
}

} // namespace gpusim
