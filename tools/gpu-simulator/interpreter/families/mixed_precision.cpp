// Operations whose sources are halves and singles: fused multiply-add of a mixture (v_fma_mix), and
// dot products of halves added to a single.
#include <algorithm>
#include <cmath>

#include "../execution.h"
#include "../vector_operation.h"
#include "families.h"
#include "float_operation.h"
#include "half_pair.h"
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

/// Factors of dot products. Denormals are zero whatever MODE says.
struct HalfFactor {
  static constexpr ValueType kPair = ValueType::PackedFloat16;
  static void widenAll(const uint32_t* halves, uint32_t* out) { widenHalves(halves, true, out); }
};
struct BrainFactor {
  static constexpr ValueType kPair = ValueType::PackedBrainFloat16;
  static void widenAll(const uint32_t* halves, uint32_t* out) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      out[lane] = FloatFormat<float>::flushed(halves[lane] << 16);
    }
  }
};

/// One product of halves added to `sums`, rounded once.
template <class Factor>
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
    Factor::widenAll(halves.value, factors[source].value);
  }
  LaneBuffer<float> result;
  fusedMultiplyAdd(factors[0].value, factors[1].value, sums, result.value);
  settleNans<float, float, float, float>(result.value, factors[0].value, factors[1].value, sums);
  std::copy_n(result.value, kLanes, sums);
}

template <class Factor>
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
    addProduct<Factor>(wave, instruction, part, sums.value);
  }
  applyOutputRules<float>(wave, instruction, Denormals::Flushed, sums.value);
  writeLanes<float>(wave, instruction.operands[0], sums);
  return Step::Continue;
}

/// The destination is the third source, which the text does not repeat.
template <class Factor>
Step accumulateDotHalves(Wave& wave, const Instruction& instruction) {
  Instruction full = instruction;
  full.operands[3] = instruction.operands[0];
  return dotHalves<Factor>(wave, full);
}

/// Dot products within halves: summed as singles and rounded at the end.
Half dotToHalf(uint32_t a, uint32_t b, Half c) {
  const auto half = [](uint32_t bits) { return widen(Half{static_cast<uint16_t>(bits)}); };
  const float low = std::fma(half(a), half(b), widen(c));
  return roundToHalf(std::fma(half(a >> 16), half(b >> 16), low));
}
uint16_t dotToBrainFloat(uint32_t a, uint32_t b, uint16_t c) {
  const float low = std::fma(widenBrainFloat(a), widenBrainFloat(b), widenBrainFloat(c));
  return static_cast<uint16_t>(
      roundToBrainFloat(std::fma(widenBrainFloat(a >> 16), widenBrainFloat(b >> 16), low)));
}

constexpr OperandSpec kResultSpec{Role::Definition, ValueType::Float32};
constexpr OperandSpec kSingle{Role::Use, ValueType::Float32};

constexpr Opcode mix(std::string_view mnemonic, Handler run) {
  return {mnemonic,
          run,
          {{kResultSpec, kSingle, kSingle, kSingle}},
          kSigns | kOpSel | kOpSelHi | kClamp | kNoIndexing,
          nullptr};
}

template <class Factor>
constexpr Opcode dotRow(std::string_view mnemonic) {
  constexpr OperandSpec kHalves{Role::Use, Factor::kPair};
  return {mnemonic,
          dotHalves<Factor>,
          {{kResultSpec, kHalves, kHalves, kSingle}},
          kOpSel | kOpSelHi | kNegLo | kClamp | kNoIndexing,
          nullptr};
}
template <class Factor>
constexpr Opcode accumulatingDotRow(std::string_view mnemonic) {
  constexpr OperandSpec kHalves{Role::Use, Factor::kPair};
  return {mnemonic,
          accumulateDotHalves<Factor>,
          {{kResultSpec, kHalves, kHalves}},
          kNoIndexing,
          nullptr};
}

template <auto Operation>
constexpr Opcode narrowDotRow(std::string_view mnemonic, ValueType factors, ValueType sum) {
  Opcode opcode = laneOpcode<Operation>(mnemonic, kNoIndexing);
  opcode.operands = {
      {{Role::Definition, sum}, {Role::Use, factors}, {Role::Use, factors}, {Role::Use, sum}}};
  return opcode;
}

constexpr Opcode kOpcodes[] = {
    mix("v_fma_mix_f32", mixToSingle),
    mix("v_fma_mixlo_f16", mixToHalf<false>),
    mix("v_fma_mixhi_f16", mixToHalf<true>),
    dotRow<HalfFactor>("v_dot2_f32_f16"),
    dotRow<BrainFactor>("v_dot2_f32_bf16"),
    accumulatingDotRow<HalfFactor>("v_dot2c_f32_f16"),
    accumulatingDotRow<BrainFactor>("v_dot2c_f32_bf16"),
    narrowDotRow<dotToHalf>("v_dot2_f16_f16", ValueType::PackedFloat16, ValueType::Float16),
    narrowDotRow<dotToBrainFloat>("v_dot2_bf16_bf16", ValueType::PackedBrainFloat16,
                                  ValueType::BrainFloat16),
};

} // namespace

Family mixedPrecisionFamily() {
  return kOpcodes;
}

} // namespace gpusim
