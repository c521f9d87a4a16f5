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

/// The same for operations with shift counts: `kCounts` numbers these arguments. They are mostly
/// the same for all lanes, and shifts by one count are vector operations on every host.
template <auto Operation, size_t... kCounts>
struct CountedOperation;

template <class Result, class... Arguments, Result (*Operation)(Arguments...), size_t... kCounts>
struct CountedOperation<Operation, kCounts...> {
  static Step run(Wave& wave, const Instruction& instruction) {
    const bool uniform = ((instruction.operands[kCounts + 1].kind != Operand::Kind::Vector) && ...);
    return uniform ? runUniform(wave, instruction, std::index_sequence_for<Arguments...>{})
                   : LaneOperation<Operation>::run(wave, instruction);
  }

private:
  template <class T>
  struct Uniform {
    LaneBits<T> bits;
    LaneBits<T> operator[](unsigned /*lane*/) const { return bits; }
  };

  template <size_t kIndex, class T>
  static auto source(const Wave& wave, const Instruction& instruction, LaneBuffer<T>& buffer) {
    const Operand& operand = instruction.operands[kIndex + 1];
    if constexpr (((kIndex == kCounts) || ...)) {
      return Uniform<T>{applyOperandFlags<T>(uniformBits<T>(wave, operand), operand.flags)};
    } else {
      return readLanes<T>(wave, operand, buffer);
    }
  }

  template <size_t... Index>
  static Step runUniform(Wave& wave, const Instruction& instruction,
                         std::index_sequence<Index...>) {
    std::tuple<LaneBuffer<Arguments>...> buffers;
    const auto sources =
        std::make_tuple(source<Index, Arguments>(wave, instruction, std::get<Index>(buffers))...);
    LaneBuffer<Result> result;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      result.value[lane] =
          toBits<Result>(Operation(fromBits<Arguments>(std::get<Index>(sources)[lane])...));
    }
    writeLanes<Result>(wave, instruction.operands[0], result);
    return Step::Continue;
  }
};

template <auto Operation, size_t... kCounts>
constexpr Opcode countedOpcode(std::string_view mnemonic) {
  return {mnemonic, &CountedOperation<Operation, kCounts...>::run,
          LaneOperation<Operation>::operands(), 0, nullptr};
}

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
