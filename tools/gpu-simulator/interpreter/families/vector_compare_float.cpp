// Comparisons of floating-point lanes into a mask, and their classes (VOPC).
#include "../vector_compare.h"
#include "families.h"
#include "float_environment.h"

namespace gpusim {

namespace {

/// A condition is the set of relations that fulfil it.
enum Relation : unsigned { kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8 };

/// As a number, in which the comparison is made.
template <class T>
auto number(LaneBits<T> bits) {
  if constexpr (std::is_same_v<T, Half>) {
    return widen(Half{static_cast<uint16_t>(bits)});
  } else {
    return fromBits<T>(bits);
  }
}

/// Bitwise operators: all lanes take the same path.
template <unsigned kCondition, class T>
bool holds(T a, T b) {
  bool result = false;
  if constexpr ((kCondition & kLess) != 0) {
    result |= a < b;
  }
  if constexpr ((kCondition & kEqual) != 0) {
    result |= a == b;
  }
  if constexpr ((kCondition & kGreater) != 0) {
    result |= a > b;
  }
  if constexpr ((kCondition & kUnordered) != 0) {
    result |= (a != a) | (b != b);
  }
  return result;
}

template <unsigned kCondition, class T, MaskTarget kTarget>
Step compare(Wave& wave, const Instruction& instruction) {
  constexpr unsigned kFirst = firstSource(kTarget);
  LaneBuffer<T> bufferA;
  LaneBuffer<T> bufferB;
  const auto* a = readFloatLanes<T>(wave, instruction.operands[kFirst], Denormals::Mode, bufferA);
  const auto* b =
      readFloatLanes<T>(wave, instruction.operands[kFirst + 1], Denormals::Mode, bufferB);
  alignas(64) LaneWords result;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    result[lane] = holds<kCondition>(number<T>(a[lane]), number<T>(b[lane])) ? ~0u : 0u;
  }
  writeComparison<kTarget>(wave, instruction, result);
  return Step::Continue;
}

/// The bit of v_cmp_class for a value; denormals are classified in every mode.
template <class T>
uint32_t classOf(LaneBits<T> bits) {
  using Format = FloatFormat<T>;
  if (Format::isNan(bits)) {
    return Format::isSignalling(bits) ? 1u << 0 : 1u << 1;
  }
  const bool negative = (bits & Format::kSign) != 0;
  const LaneBits<T> magnitude = Format::magnitude(bits);
  if (magnitude == Format::kInfinity) {
    return negative ? 1u << 2 : 1u << 9;
  }
  if (magnitude == 0) {
    return negative ? 1u << 5 : 1u << 6;
  }
  if (Format::isDenormal(bits)) {
    return negative ? 1u << 4 : 1u << 7;
  }
  return negative ? 1u << 3 : 1u << 8;
}

template <class T, MaskTarget kTarget>
Step testClass(Wave& wave, const Instruction& instruction) {
  constexpr unsigned kFirst = firstSource(kTarget);
  LaneBuffer<T> valueBuffer;
  LaneBuffer<uint32_t> classBuffer;
  const auto* values = readLanes<T>(wave, instruction.operands[kFirst], valueBuffer);
  const auto* classes = readLanes<uint32_t>(wave, instruction.operands[kFirst + 1], classBuffer);
  alignas(64) LaneWords result;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    LaneBits<T> bits = values[lane];
    if constexpr (sizeof(T) == 2) {
      bits &= 0xffff;
    }
    result[lane] = (classOf<T>(bits) & classes[lane]) != 0 ? ~0u : 0u;
  }
  writeComparison<kTarget>(wave, instruction, result);
  return Step::Continue;
}

/// Clamp on a comparison asks for exceptions only, which are not modelled.
constexpr uint32_t kCompareModifiers = kSigns | kClamp;

template <unsigned kCondition, class T, MaskTarget kTarget>
constexpr Opcode compareRow(std::string_view mnemonic) {
  return {mnemonic, compare<kCondition, T, kTarget>,
          compareOperands(kTarget, valueTypeOf<T>(), valueTypeOf<T>()), kCompareModifiers, nullptr};
}
template <class T, MaskTarget kTarget>
constexpr Opcode classRow(std::string_view mnemonic) {
  return {mnemonic, testClass<T, kTarget>,
          compareOperands(kTarget, valueTypeOf<T>(), ValueType::Bits32), kCompareModifiers,
          nullptr};
}

// Macros because mnemonics are put together from literals.
#define GPUSIM_COMPARE(target, prefix, condition, type, T, relations)                              \
  compareRow<(relations), T, MaskTarget::target>(prefix condition "_" type)
#define GPUSIM_COMPARES_OF(target, prefix, type, T)                                                \
  GPUSIM_COMPARE(target, prefix, "f", type, T, 0u),                                                \
      GPUSIM_COMPARE(target, prefix, "lt", type, T, kLess),                                        \
      GPUSIM_COMPARE(target, prefix, "eq", type, T, kEqual),                                       \
      GPUSIM_COMPARE(target, prefix, "le", type, T, kLess | kEqual),                               \
      GPUSIM_COMPARE(target, prefix, "gt", type, T, kGreater),                                     \
      GPUSIM_COMPARE(target, prefix, "lg", type, T, kLess | kGreater),                             \
      GPUSIM_COMPARE(target, prefix, "ge", type, T, kEqual | kGreater),                            \
      GPUSIM_COMPARE(target, prefix, "o", type, T, kLess | kEqual | kGreater),                     \
      GPUSIM_COMPARE(target, prefix, "u", type, T, kUnordered),                                    \
      GPUSIM_COMPARE(target, prefix, "nge", type, T, kUnordered | kLess),                          \
      GPUSIM_COMPARE(target, prefix, "nlg", type, T, kUnordered | kEqual),                         \
      GPUSIM_COMPARE(target, prefix, "ngt", type, T, kUnordered | kLess | kEqual),                 \
      GPUSIM_COMPARE(target, prefix, "nle", type, T, kUnordered | kGreater),                       \
      GPUSIM_COMPARE(target, prefix, "neq", type, T, kUnordered | kLess | kGreater),               \
      GPUSIM_COMPARE(target, prefix, "nlt", type, T, kUnordered | kEqual | kGreater),              \
      GPUSIM_COMPARE(target, prefix, "tru", type, T, kUnordered | kLess | kEqual | kGreater),      \
      classRow<T, MaskTarget::target>(prefix "class_" type)
#define GPUSIM_COMPARES(target, prefix)                                                            \
  GPUSIM_COMPARES_OF(target, prefix, "f16", Half),                                                 \
      GPUSIM_COMPARES_OF(target, prefix, "f32", float),                                            \
      GPUSIM_COMPARES_OF(target, prefix, "f64", double)

constexpr Opcode kOpcodes[] = {
    GPUSIM_COMPARES(Mask, "v_cmp_"),
    GPUSIM_COMPARES(MaskAndExec, "v_cmpx_"),
};
constexpr Opcode kExecOpcodes[] = {
    GPUSIM_COMPARES(Exec, "v_cmpx_"),
};

#undef GPUSIM_COMPARES
#undef GPUSIM_COMPARES_OF
#undef GPUSIM_COMPARE

} // namespace

Family vectorCompareFloatFamily() {
  return kOpcodes;
}

Family vectorCompareFloatExecFamily() {
  return kExecOpcodes;
}

} // namespace gpusim
