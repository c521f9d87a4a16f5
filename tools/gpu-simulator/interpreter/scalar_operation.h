// Turns a pure function of scalar values into a handler and a table row.
#pragma once

#include <utility>

#include "operand_access.h"

namespace gpusim {

/// A result that also sets SCC. Functions that return a plain value leave SCC alone; functions that
/// return bool set SCC only (comparisons).
template <class T>
struct WithScc {
  T value;
  bool scc;
};

/// SCC set when the result is not zero: the rule of the logical operations.
template <class T>
constexpr WithScc<T> sccIfNonZero(T value) {
  return {value, value != 0};
}

/// First parameter of operations that read SCC.
struct SccIn {
  bool value;
};

/// First or second parameter of operations that also read their destination.
template <class T>
struct Destination {
  T value;
};

namespace detail {

template <class T>
struct ScalarResult {
  using Type = T;
  static void write(Wave& wave, const Instruction& instruction, T value) {
    writeScalar<T>(wave, instruction.operands[0], value);
  }
};
template <class T>
struct ScalarResult<WithScc<T>> {
  using Type = T;
  static void write(Wave& wave, const Instruction& instruction, WithScc<T> result) {
    writeScalar<T>(wave, instruction.operands[0], result.value);
    wave.setScc(result.scc);
  }
};
template <>
struct ScalarResult<bool> {
  using Type = void;
  static void write(Wave& wave, const Instruction&, bool value) { wave.setScc(value); }
};

template <class T>
struct ScalarArgument {
  static constexpr bool kFromText = true;
  using Type = T;
  static T read(const Wave& wave, const Instruction& instruction, unsigned index) {
    return readScalar<T>(wave, instruction.operands[index]);
  }
};
template <>
struct ScalarArgument<SccIn> {
  static constexpr bool kFromText = false;
  using Type = uint32_t;
  static SccIn read(const Wave& wave, const Instruction&, unsigned) { return {wave.scc()}; }
};
template <class T>
struct ScalarArgument<Destination<T>> {
  static constexpr bool kFromText = false;
  using Type = T;
  static Destination<T> read(const Wave& wave, const Instruction& instruction, unsigned) {
    return {readScalar<T>(wave, instruction.operands[0])};
  }
};

} // namespace detail

template <auto Operation>
struct ScalarOperation;

template <class Result, class... Arguments, Result (*Operation)(Arguments...)>
struct ScalarOperation<Operation> {
  static constexpr bool kHasDestination = !std::is_same_v<Result, bool>;

  static Step run(Wave& wave, const Instruction& instruction) {
    return runWith(wave, instruction, std::index_sequence_for<Arguments...>{});
  }

  /// `immediate` replaces the last source by the encoding's 16-bit immediate.
  static constexpr std::array<OperandSpec, kMaxOperands> operands(Role immediate) {
    std::array<OperandSpec, kMaxOperands> specs{};
    unsigned next = 0;
    if constexpr (kHasDestination) {
      specs[next++] = {Role::Definition,
                       valueTypeOf<typename detail::ScalarResult<Result>::Type>()};
    }
    (addSource<Arguments>(specs, next), ...);
    if (immediate != Role::None) {
      specs[next - 1].role = immediate;
    }
    return specs;
  }

private:
  template <class Argument>
  static constexpr void addSource(std::array<OperandSpec, kMaxOperands>& specs, unsigned& next) {
    using Source = detail::ScalarArgument<Argument>;
    if constexpr (Source::kFromText) {
      specs[next++] = {Role::Use, valueTypeOf<typename Source::Type>()};
    }
  }

  /// The text operand that holds argument `position`.
  static constexpr unsigned textIndex(size_t position) {
    constexpr bool kFromText[] = {detail::ScalarArgument<Arguments>::kFromText..., false};
    unsigned index = kHasDestination ? 1 : 0;
    for (size_t before = 0; before < position; ++before) {
      index += kFromText[before] ? 1 : 0;
    }
    return index;
  }

  template <size_t... Index>
  static Step runWith(Wave& wave, const Instruction& instruction, std::index_sequence<Index...>) {
    detail::ScalarResult<Result>::write(
        wave, instruction,
        Operation(detail::ScalarArgument<Arguments>::read(wave, instruction, textIndex(Index))...));
    return Step::Continue;
  }
};

template <auto Operation>
constexpr Opcode scalarOpcode(std::string_view mnemonic, Role immediate = Role::None) {
  using Scalar = ScalarOperation<Operation>;
  return {mnemonic, &Scalar::run, Scalar::operands(immediate), 0, nullptr};
}

} // namespace gpusim
