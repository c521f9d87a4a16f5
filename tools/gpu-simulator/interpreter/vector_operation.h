// Turns a pure function of lane values into a handler and a table row.
#pragma once

#include <tuple>
#include <utility>

#include "operand_access.h"

namespace gpusim {

template <auto Operation>
struct LaneOperation;

/// Runs `Operation` on all lanes (it must not have side effects) and writes the result under EXEC.
template <class Result, class... Arguments, Result (*Operation)(Arguments...)>
struct LaneOperation<Operation> {
  static Step run(Wave& wave, const Instruction& instruction) {
    return runWith(wave, instruction, std::index_sequence_for<Arguments...>{});
  }

  static constexpr std::array<OperandSpec, kMaxOperands> operands() {
    std::array<OperandSpec, kMaxOperands> specs{};
    specs[0] = {Role::Definition, valueTypeOf<Result>()};
    unsigned next = 1;
    ((specs[next++] = {Role::Use, valueTypeOf<Arguments>()}), ...);
    return specs;
  }

private:
  template <size_t... Index>
  static Step runWith(Wave& wave, const Instruction& instruction, std::index_sequence<Index...>) {
    std::tuple<LaneBuffer<Arguments>...> buffers;
    const std::tuple<const LaneBits<Arguments>*...> sources{
        readLanes<Arguments>(wave, instruction.operands[Index + 1], std::get<Index>(buffers))...};
    LaneBuffer<Result> result;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      result.value[lane] =
          toBits<Result>(Operation(fromBits<Arguments>(std::get<Index>(sources)[lane])...));
    }
    writeLanes<Result>(wave, instruction.operands[0], result);
    return Step::Continue;
  }
};

template <auto Operation>
constexpr Opcode laneOpcode(std::string_view mnemonic, uint32_t modifiers = 0) {
  using Lane = LaneOperation<Operation>;
  return {mnemonic, &Lane::run, Lane::operands(), modifiers, nullptr};
}

/// The same with a saturating twin for `clamp`.
template <auto Operation, auto Saturating>
constexpr Opcode saturatingOpcode(std::string_view mnemonic, uint32_t modifiers = 0) {
  Opcode opcode = laneOpcode<Operation>(mnemonic, modifiers | kClamp);
  opcode.runClamped = &LaneOperation<Saturating>::run;
  return opcode;
}

} // namespace gpusim
