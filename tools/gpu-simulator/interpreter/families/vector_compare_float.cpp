// Comparisons of floating-point lanes into a mask, and their classes (VOPC).
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

/// Lanes outside EXEC get 0. v_cmpx also replaces EXEC.
template <bool kWritesExec>
void writeMask(Wave& wave, const Operand& destination, const LaneWords& lanes) {
  const uint64_t mask = packMask(lanes) & wave.exec();
  wave.setPair(destination.index, mask);
  if constexpr (kWritesExec) {
    wave.setPair(scalar::kExec, mask);
  }
}

template <unsigned kCondition, class T, bool kWritesExec>
Step compare(Wave& wave, const Instruction& instruction) {
  LaneBuffer<T> bufferA;
  LaneBuffer<T> bufferB;
  const auto* a = readFloatLanes<T>(wave, instruction.operands[1], Denormals::Mode, bufferA);
  const auto* b = readFloatLanes<T>(wave, instruction.operands[2], Denormals::Mode, bufferB);
  alignas(64) LaneWords result;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    result[lane] = holds<kCondition>(number<T>(a[lane]), number<T>(b[lane])) ? ~0u : 0u;
  }
  writeMask<kWritesExec>(wave, instruction.operands[0], result);
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

template <class T, bool kWritesExec>
Step testClass(Wave& wave, const Instruction& instruction) {
  LaneBuffer<T> valueBuffer;
  LaneBuffer<uint32_t> classBuffer;
  const auto* values = readLanes<T>(wave, instruction.operands[1], valueBuffer);
  const auto* classes = readLanes<uint32_t>(wave, instruction.operands[2], classBuffer);
  alignas(64) LaneWords result;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    LaneBits<T> bits = values[lane];
    if constexpr (sizeof(T) == 2) {
      bits &= 0xffff;
    }
    result[lane] = (classOf<T>(bits) & classes[lane]) != 0 ? ~0u : 0u;
  }
  writeMask<kWritesExec>(wave, instruction.operands[0], result);
  return Step::Continue;
}

/// Clamp on a comparison asks for exceptions only, which are not modelled.
constexpr Opcode row(std::string_view mnemonic, Handler handler, ValueType a, ValueType b) {
  return {mnemonic,
          handler,
          {{{Role::Definition, ValueType::Bits64}, {Role::Use, a}, {Role::Use, b}}},
          kSigns | kClamp,
          nullptr};
}

template <class T>
constexpr Opcode compareRow(std::string_view mnemonic, Handler handler) {
  return row(mnemonic, handler, valueTypeOf<T>(), valueTypeOf<T>());
}
template <class T>
constexpr Opcode classRow(std::string_view mnemonic, Handler handler) {
  return row(mnemonic, handler, valueTypeOf<T>(), ValueType::Bits32);
}

// A macro because mnemonics are put together from literals.
#define GPUSIM_COMPARE(condition, type, T, relations)                                              \
  compareRow<T>("v_cmp_" condition "_" type, compare<(relations), T, false>),                      \
      compareRow<T>("v_cmpx_" condition "_" type, compare<(relations), T, true>)
#define GPUSIM_COMPARES(type, T)                                                                   \
  GPUSIM_COMPARE("f", type, T, 0u), GPUSIM_COMPARE("lt", type, T, kLess),                          \
      GPUSIM_COMPARE("eq", type, T, kEqual), GPUSIM_COMPARE("le", type, T, kLess | kEqual),        \
      GPUSIM_COMPARE("gt", type, T, kGreater), GPUSIM_COMPARE("lg", type, T, kLess | kGreater),    \
      GPUSIM_COMPARE("ge", type, T, kEqual | kGreater),                                            \
      GPUSIM_COMPARE("o", type, T, kLess | kEqual | kGreater),                                     \
      GPUSIM_COMPARE("u", type, T, kUnordered),                                                    \
      GPUSIM_COMPARE("nge", type, T, kUnordered | kLess),                                          \
      GPUSIM_COMPARE("nlg", type, T, kUnordered | kEqual),                                         \
      GPUSIM_COMPARE("ngt", type, T, kUnordered | kLess | kEqual),                                 \
      GPUSIM_COMPARE("nle", type, T, kUnordered | kGreater),                                       \
      GPUSIM_COMPARE("neq", type, T, kUnordered | kLess | kGreater),                               \
      GPUSIM_COMPARE("nlt", type, T, kUnordered | kEqual | kGreater),                              \
      GPUSIM_COMPARE("tru", type, T, kUnordered | kLess | kEqual | kGreater),                      \
      classRow<T>("v_cmp_class_" type, testClass<T, false>),                                       \
      classRow<T>("v_cmpx_class_" type, testClass<T, true>)

constexpr Opcode kOpcodes[] = {
    GPUSIM_COMPARES("f16", Half),
    GPUSIM_COMPARES("f32", float),
    GPUSIM_COMPARES("f64", double),
};

#undef GPUSIM_COMPARES
#undef GPUSIM_COMPARE

} // namespace

Family vectorCompareFloatFamily() {
  return kOpcodes;
}

} // namespace gpusim
