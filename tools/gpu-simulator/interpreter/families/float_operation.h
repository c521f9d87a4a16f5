// Turns a pure function of floating-point lanes into a handler that honours MODE, clamp and scale.
#pragma once

#include <tuple>
#include <utility>

#include "float_environment.h"
#include "fused_multiply_add.h"

namespace gpusim {

/// What an operation has beyond the function of its operands.
struct FloatRules {
  bool halfArguments = false; ///< the function's floating arguments are stored as half
  bool halfResult = false;
  bool accumulates = false; ///< the last argument is the destination and not in the text
  bool fused = false;       ///< multiply-add, done by fusedMultiplyAdd instead of the function
  bool ownNans = false;     ///< the function decides about NaNs, instead of "the first one, quiet"
  bool selectsSources = false; ///< op_sel on sources
  bool selectsHalves = false;  ///< op_sel on sources and destination
  bool keepsUpperHalf = false; ///< half results leave the upper half of the register alone
  Denormals denormals = Denormals::Mode;
};

template <class T, bool kIsHalf>
using StoredAs = std::conditional_t<kIsHalf && std::is_floating_point_v<T>, Half, T>;

/// The value of type `T` in the lane word of a `Stored`.
template <class T, class Stored>
T computed(LaneBits<Stored> bits) {
  if constexpr (std::is_same_v<Stored, Half> && std::is_floating_point_v<T>) {
    return static_cast<T>(widen(Half{static_cast<uint16_t>(bits)}));
  } else {
    return fromBits<T>(bits);
  }
}

/// Rounds computed lanes to half as MODE says.
template <class T>
void narrowLanes(uint32_t mode, const LaneBits<T>* computedLanes, uint32_t* out) {
  const Rounding rounding = roundingOf<Half>(mode);
  const bool saturate = (mode & mode::kFp16Overflow) != 0;
  if (std::is_same_v<T, float> && rounding == Rounding::Nearest && !saturate) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      out[lane] = roundToHalf(static_cast<float>(fromBits<T>(computedLanes[lane]))).bits;
    }
    return;
  }
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    out[lane] = roundToHalf(fromBits<T>(computedLanes[lane]), rounding, saturate).bits;
  }
}

/// NaN results: the first source that is one, made quiet; else the default.
template <class T, class... Stored>
void settleNans(LaneBits<T>* results, const LaneBits<Stored>*... sources) {
  LaneBits<T> any = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if constexpr (sizeof(T) == 2) {
      any |= FloatFormat<T>::isNan(results[lane]) ? 1u : 0u;
    } else { // integers of 64 bits are not compared as vectors by every host, numbers are
      const T value = fromBits<T>(results[lane]);
      any |= value != value ? 1u : 0u;
    }
  }
  if (any == 0) {
    return;
  }
  const auto prefer = [](LaneBits<T> bits, LaneBits<T>& choice) {
    if constexpr (sizeof(T) == 2) {
      bits &= 0xffff;
    }
    if (choice == 0 && FloatFormat<T>::isNan(bits)) {
      choice = bits | FloatFormat<T>::kQuiet;
    }
  };
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (FloatFormat<T>::isNan(results[lane])) {
      LaneBits<T> choice = 0;
      (prefer(sources[lane], choice), ...);
      results[lane] = choice != 0 ? choice : FloatFormat<T>::kDefaultNan;
    }
  }
}

/// Writes halves into one half of the destination and keeps the other.
inline void writeHalves(Wave& wave, const Operand& destination, bool high, const uint32_t* halves) {
  alignas(64) LaneWords merged;
  const uint32_t* old = wave.vgpr[destination.index];
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    merged[lane] = high ? (old[lane] & 0xffffu) | halves[lane] << 16
                        : (old[lane] & 0xffff0000u) | halves[lane];
  }
  writeRegister(wave, destination.index, merged, wave.exec());
}

template <auto Operation, FloatRules Rules>
struct FloatOperation;

template <class Result, class... Arguments, Result (*Operation)(Arguments...), FloatRules Rules>
struct FloatOperation<Operation, Rules> {
  using Stored = StoredAs<Result, Rules.halfResult>;
  template <class T>
  using StoredArgument = StoredAs<T, Rules.halfArguments>;
  static constexpr size_t kArguments = sizeof...(Arguments);
  static constexpr bool kFloatResult = kIsStoredFloat<Stored>;
  static constexpr bool kSameFormats =
      kFloatResult && (std::is_same_v<StoredArgument<Arguments>, Stored> && ...);

  static Step run(Wave& wave, const Instruction& instruction) {
    const Rounding rounding = roundingOf<Stored>(wave.mode);
    return rounding == Rounding::Nearest ? runLanes(wave, instruction)
                                         : runRounded(rounding, &runLanes, wave, instruction);
  }

  static constexpr std::array<OperandSpec, kMaxOperands> operands() {
    std::array<OperandSpec, kMaxOperands> specs{};
    const OperandSpec sources[] = {{Role::Use, valueTypeOf<StoredArgument<Arguments>>()}...};
    specs[0] = {Role::Definition, valueTypeOf<Stored>()};
    for (size_t index = 0; index < kArguments - (Rules.accumulates ? 1 : 0); ++index) {
      specs[index + 1] = sources[index];
    }
    return specs;
  }

private:
  static Step runLanes(Wave& wave, const Instruction& instruction) {
    return runWith(wave, instruction, std::index_sequence_for<Arguments...>{});
  }

  static Operand source(const Instruction& instruction, size_t index) {
    Operand operand =
        instruction.operands[Rules.accumulates && index + 1 == kArguments ? 0 : index + 1];
    if ((Rules.selectsHalves || Rules.selectsSources) && (instruction.opSel >> index & 1) != 0) {
      operand.flags |= Operand::kHighHalf;
    }
    return operand;
  }

  template <size_t... Index>
  static Step runWith(Wave& wave, const Instruction& instruction, std::index_sequence<Index...>) {
    std::tuple<LaneBuffer<StoredArgument<Arguments>>...> buffers;
    const std::tuple<const LaneBits<StoredArgument<Arguments>>*...> sources{
        readFloatLanes<StoredArgument<Arguments>>(wave, source(instruction, Index), Rules.denormals,
                                                  std::get<Index>(buffers))...};
    LaneBuffer<Result> result;
    if constexpr (Rules.fused && std::is_same_v<Result, Stored>) {
      fusedMultiplyAdd(std::get<Index>(sources)..., result.value);
    } else {
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        result.value[lane] = toBits<Result>(Operation(
            computed<Arguments, StoredArgument<Arguments>>(std::get<Index>(sources)[lane])...));
      }
    }
    if constexpr (std::is_same_v<Result, Stored>) {
      finish(wave, instruction, result, std::get<Index>(sources)...);
    } else {
      LaneBuffer<Stored> stored;
      narrowLanes<Result>(wave.mode, result.value, stored.value);
      finish(wave, instruction, stored, std::get<Index>(sources)...);
    }
    return Step::Continue;
  }

  template <class... Sources>
  static void finish(Wave& wave, const Instruction& instruction, LaneBuffer<Stored>& result,
                     const Sources*... sources) {
    if constexpr (kSameFormats && !Rules.ownNans) {
      settleNans<Stored, StoredArgument<Arguments>...>(result.value, sources...);
    }
    if constexpr (kFloatResult) {
      applyOutputRules<Stored>(wave, instruction, Rules.denormals, result.value);
    }
    const Operand& destination = instruction.operands[0];
    if constexpr (Rules.selectsHalves || Rules.keepsUpperHalf) {
      const bool high = (instruction.opSel >> kArguments & 1) != 0 ||
                        (destination.flags & Operand::kHighHalf) != 0;
      writeHalves(wave, destination, high, result.value);
    } else {
      writeLanes<Stored>(wave, destination, result);
    }
  }
};

template <auto Operation, FloatRules Rules = FloatRules{}>
constexpr Opcode floatOpcode(std::string_view mnemonic, uint32_t modifiers = 0) {
  using Lane = FloatOperation<Operation, Rules>;
  modifiers |= kSigns;
  if constexpr (Lane::kFloatResult) {
    modifiers |= kClamp | kOutputScale;
  }
  if constexpr (Rules.selectsHalves || Rules.selectsSources) {
    modifiers |= kOpSel;
  }
  return {mnemonic, &Lane::run, Lane::operands(), modifiers, nullptr};
}

/// An operation on halves, computed in the wider types of the function's signature.
template <auto Operation, FloatRules Rules = FloatRules{}>
constexpr Opcode halfOpcode(std::string_view mnemonic) {
  constexpr FloatRules kHalf = [] {
    FloatRules rules = Rules;
    rules.halfArguments = rules.halfResult = true;
    return rules;
  }();
  return floatOpcode<Operation, kHalf>(mnemonic);
}

} // namespace gpusim
