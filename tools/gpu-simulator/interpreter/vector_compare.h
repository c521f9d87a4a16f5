// Turns a predicate on lane values into the handlers of v_cmp and v_cmpx.
#pragma once

#include <array>
#include <utility>

#include "operand_access.h"

namespace gpusim {

/// Where the result of a comparison goes.
enum class MaskTarget : uint8_t {
  Mask,        ///< the first operand
  MaskAndExec, ///< v_cmpx
  Exec,        ///< v_cmpx of RDNA, which has no operand for a mask
};

/// Operands: destination mask if there is one, two sources.
constexpr std::array<OperandSpec, kMaxOperands> compareOperands(MaskTarget target, ValueType a,
                                                                ValueType b) {
  if (target == MaskTarget::Exec) {
    return {{{Role::Use, a}, {Role::Use, b}}};
  }
  return {{{Role::Definition, ValueType::LaneMask}, {Role::Use, a}, {Role::Use, b}}};
}

constexpr unsigned firstSource(MaskTarget target) {
  return target == MaskTarget::Exec ? 0 : 1;
}

/// Lanes outside EXEC get 0.
template <MaskTarget kTarget>
void writeComparison(Wave& wave, const Instruction& instruction, const LaneWords& lanes) {
  const uint64_t mask = packMask(lanes) & wave.exec();
  if constexpr (kTarget != MaskTarget::Exec) {
    writeMask(wave, instruction.operands[0], mask);
  }
  if constexpr (kTarget != MaskTarget::Mask) {
    wave.setExec(mask);
  }
}

template <auto Predicate, MaskTarget kTarget>
struct LaneComparison;

template <class A, class B, bool (*Predicate)(A, B), MaskTarget kTarget>
struct LaneComparison<Predicate, kTarget> {
  static Step run(Wave& wave, const Instruction& instruction) {
    constexpr unsigned kFirst = firstSource(kTarget);
    LaneBuffer<A> bufferA;
    LaneBuffer<B> bufferB;
    const LaneBits<A>* a = readLanes<A>(wave, instruction.operands[kFirst], bufferA);
    const LaneBits<B>* b = readLanes<B>(wave, instruction.operands[kFirst + 1], bufferB);
    alignas(64) LaneWords result;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      result[lane] = Predicate(fromBits<A>(a[lane]), fromBits<B>(b[lane])) ? ~0u : 0u;
    }
    writeComparison<kTarget>(wave, instruction, result);
    return Step::Continue;
  }

  static constexpr Opcode row(std::string_view mnemonic) {
    return {mnemonic, run, compareOperands(kTarget, valueTypeOf<A>(), valueTypeOf<B>()), 0,
            nullptr};
  }
};

template <auto Predicate, MaskTarget kTarget>
constexpr Opcode compareOpcode(std::string_view mnemonic) {
  return LaneComparison<Predicate, kTarget>::row(mnemonic);
}

} // namespace gpusim
