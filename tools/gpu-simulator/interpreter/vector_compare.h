// Turns a predicate on lane values into the handlers of v_cmp and v_cmpx.
#pragma once

#include <utility>

#include "operand_access.h"

namespace gpusim {

template <auto Predicate, bool kWritesExec>
struct LaneComparison;

/// Operands: destination mask, two sources. Lanes outside EXEC get 0. v_cmpx also replaces EXEC.
template <class A, class B, bool (*Predicate)(A, B), bool kWritesExec>
struct LaneComparison<Predicate, kWritesExec> {
  static Step run(Wave& wave, const Instruction& instruction) {
    LaneBuffer<A> bufferA;
    LaneBuffer<B> bufferB;
    const LaneBits<A>* a = readLanes<A>(wave, instruction.operands[1], bufferA);
    const LaneBits<B>* b = readLanes<B>(wave, instruction.operands[2], bufferB);
    alignas(64) LaneWords result;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      result[lane] = Predicate(fromBits<A>(a[lane]), fromBits<B>(b[lane])) ? ~0u : 0u;
    }
    const uint64_t mask = packMask(result) & wave.exec();
    writeScalar<uint64_t>(wave, instruction.operands[0], mask);
    if constexpr (kWritesExec) {
      wave.setPair(scalar::kExec, mask);
    }
    return Step::Continue;
  }

  static constexpr Opcode row(std::string_view mnemonic, uint32_t modifiers) {
    return {mnemonic,
            run,
            {{{Role::Definition, ValueType::Bits64},
              {Role::Use, valueTypeOf<A>()},
              {Role::Use, valueTypeOf<B>()}}},
            modifiers,
            nullptr};
  }
};

template <auto Predicate>
constexpr Opcode compareOpcode(std::string_view mnemonic, uint32_t modifiers = 0) {
  return LaneComparison<Predicate, false>::row(mnemonic, modifiers);
}
template <auto Predicate>
constexpr Opcode compareExecOpcode(std::string_view mnemonic, uint32_t modifiers = 0) {
  return LaneComparison<Predicate, true>::row(mnemonic, modifiers);
}

} // namespace gpusim
