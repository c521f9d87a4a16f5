// Operations whose sources are halves and singles: fused multiply-add of a mixture (v_fma_mix), and
// dot products of halves added to a single.
#include <algorithm>

#include "../execution.h"
#include "families.h"
#include "float_operation.h"
#include "lane_handler.h"
#include "packed_operand.h"

namespace gpusim {

namespace {

constexpr uint16_t kSources = vector::kTemporary + 2;
constexpr uint16_t kResult = vector::kTemporary + 5;
constexpr char kFuseSingle[] = "v_fma_f32";

/// Whether source `source` is a half. Read from the encoding: unlike elsewhere, op_sel_hi is zero
/// when the text omits it.
bool isHalf(const Instruction& instruction, unsigned source) {
  constexpr unsigned kBits[] = {59, 60, 14};
  return (instruction.encoding >> kBits[source] & 1) != 0;
}

void widenHalves(const uint32_t* halves, bool flush, uint32_t* out) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint32_t bits = flush ? FloatFormat<Half>::flushed(halves[lane]) : halves[lane];
    out[lane] = std::bit_cast<uint32_t>(widen(Half{static_cast<uint16_t>(bits)}));
  }
}

/// Makes a single of the half that `source` selects, in a temporary register.
void widenSource(Wave& wave, const Instruction& instruction, unsigned source, Operand& operand) {
  Instruction plain = instruction;
  plain.operands[source + 1].flags = 0; // signs are those of the single
  LaneBuffer<uint32_t> halves;
  readHalves(wave, plain, 0, source, halves.value);
  operand.kind = Operand::Kind::Vector;
  operand.index = static_cast<uint16_t>(kSources + source);
  widenHalves(halves.value, flushesInputs<Half>(wave.mode, Denormals::Mode),
              wave.vgpr[operand.index]);
}

/// Makes singles of all sources; false when that is not modelled.
bool widenSources(Wave& wave, const Instruction& instruction, Instruction& singles) {
  for (unsigned source = 0; source < 3; ++source) {
    Operand& operand = singles.operands[source + 1];
    if (!isHalf(instruction, source)) {
      continue;
    }
    if (operand.kind == Operand::Kind::Constant) {
      return false;
    }
    widenSource(wave, instruction, source, operand);
  }
  singles.opSel = 0;
  return true;
}

/// Computes the single that `singles` describes; `instruction` is the original, for messages.
Step fuse(Wave& wave, const Instruction& instruction, Instruction& singles) {
  if (!widenSources(wave, instruction, singles)) {
    return wave.execution->fail(wave, instruction, Fault::Kind::Unsupported,
                                "a constant as a half is not modelled");
  }
  return laneHandler<kFuseSingle>()(wave, singles);
}

Step mixToSingle(Wave& wave, const Instruction& instruction) {
  Instruction singles = instruction;
  return fuse(wave, instruction, singles);
}

/// Rounded twice: to single by the multiply-add, then to half.
template <bool kHigh>
Step mixToHalf(Wave& wave, const Instruction& instruction) {
  Instruction singles = instruction;
  singles.clamp = false; // of the half
  singles.operands[0].index = kResult;
  const Step step = fuse(wave, instruction, singles);
  if (step != Step::Continue) {
    return step;
  }
  LaneBuffer<Half> halves;
  narrowLanes<float>(wave.mode, wave.vgpr[kResult], halves.value);
  applyOutputRules<Half>(wave, instruction, Denormals::Mode, halves.value);
  writeHalves(wave, instruction.operands[0], kHigh, halves.value);
  return Step::Continue;
}

/// One product of halves added to `sums`, rounded once. Denormals of either kind are zero whatever
/// MODE says.
void addProduct(const Wave& wave, const Instruction& instruction, unsigned part, uint32_t* sums) {
  const uint8_t signs = part == 0 ? instruction.negLo : instruction.negHi;
  LaneBuffer<float> factors[2];
  for (unsigned source = 0; source < 2; ++source) {
    LaneBuffer<uint32_t> halves;
    readHalves(wave, instruction, part, source, halves.value);
    const uint32_t sign = (signs >> source & 1) != 0 ? 0x8000u : 0u;
    for (uint32_t& half : halves.value) {
      half ^= sign;
    }
    widenHalves(halves.value, true, factors[source].value);
  }
  LaneBuffer<float> result;
  fusedMultiplyAdd(factors[0].value, factors[1].value, sums, result.value);
  settleNans<float, float, float, float>(result.value, factors[0].value, factors[1].value, sums);
  std::copy_n(result.value, kLanes, sums);
}

Step dotHalves(Wave& wave, const Instruction& instruction) {
  if ((instruction.opSel & 4) != 0 || (instruction.negHi & 4) != 0) {
    return wave.execution->fail(wave, instruction, Fault::Kind::Unsupported,
                                "op_sel or neg_hi of the third source is not modelled");
  }
  Operand addend = instruction.operands[3];
  addend.flags = (instruction.negLo & 4) != 0 ? Operand::kNegate : 0;
  LaneBuffer<float> buffer;
  const uint32_t* read = readFloatLanes<float>(wave, addend, Denormals::Flushed, buffer);
  LaneBuffer<float> sums;
  std::copy_n(read, kLanes, sums.value);
  for (unsigned part = 0; part < 2; ++part) {
    addProduct(wave, instruction, part, sums.value);
  }
  applyOutputRules<float>(wave, instruction, Denormals::Flushed, sums.value);
  writeLanes<float>(wave, instruction.operands[0], sums);
  return Step::Continue;
}

/// The destination is the third source, which the text does not repeat.
Step accumulateDotHalves(Wave& wave, const Instruction& instruction) {
  Instruction full = instruction;
  full.operands[3] = instruction.operands[0];
  return dotHalves(wave, full);
}

constexpr OperandSpec kResultSpec{Role::Definition, ValueType::Float32};
constexpr OperandSpec kSingle{Role::Use, ValueType::Float32};
constexpr OperandSpec kHalves{Role::Use, ValueType::PackedFloat16};

constexpr Opcode mix(std::string_view mnemonic, Handler run) {
  return {mnemonic,
          run,
          {{kResultSpec, kSingle, kSingle, kSingle}},
          kSigns | kOpSel | kOpSelHi | kClamp | kNoIndexing,
          nullptr};
}

constexpr Opcode kOpcodes[] = {
    mix("v_fma_mix_f32", mixToSingle),
    mix("v_fma_mixlo_f16", mixToHalf<false>),
    mix("v_fma_mixhi_f16", mixToHalf<true>),
    {"v_dot2_f32_f16",
     dotHalves,
     {{kResultSpec, kHalves, kHalves, kSingle}},
     kOpSel | kOpSelHi | kNegLo | kClamp | kNoIndexing,
     nullptr},
    {"v_dot2c_f32_f16",
     accumulateDotHalves,
     {{kResultSpec, kHalves, kHalves}},
     kNoIndexing,
     nullptr},
};

} // namespace

Family mixedPrecisionFamily() {
  return kOpcodes;
}

} // namespace gpusim
