// VOP3P operations on two 16-bit integers.
#include <algorithm>
#include <limits>

#include "../vector_operation.h"
#include "families.h"
#include "packed_operand.h"

namespace gpusim {

namespace {

template <auto Operation>
struct PackedInteger;

template <class T, class... Arguments, T (*Operation)(Arguments...)>
struct PackedInteger<Operation> {
  static Step run(Wave& wave, const Instruction& instruction) {
    LaneBuffer<T> halves[2];
    for (unsigned half = 0; half < 2; ++half) {
      runHalf(wave, instruction, half, halves[half], std::index_sequence_for<Arguments...>{});
    }
    writeHalfPair(wave, instruction.operands[0], halves[0].value, halves[1].value);
    return Step::Continue;
  }

  /// Constants are those of 32-bit operations, so the operands are declared as such.
  static constexpr std::array<OperandSpec, kMaxOperands> operands() {
    std::array<OperandSpec, kMaxOperands> specs{};
    specs[0] = {Role::Definition, ValueType::Bits32};
    for (size_t index = 1; index <= sizeof...(Arguments); ++index) {
      specs[index] = {Role::Use, ValueType::Bits32};
    }
    return specs;
  }

private:
  template <size_t... Index>
  static void runHalf(const Wave& wave, const Instruction& instruction, unsigned half,
                      LaneBuffer<T>& result, std::index_sequence<Index...>) {
    LaneBuffer<T> sources[sizeof...(Arguments)];
    (readHalves(wave, instruction, half, Index, sources[Index].value), ...);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      result.value[lane] = toBits<T>(Operation(static_cast<T>(sources[Index].value[lane])...));
    }
  }
};

template <class T>
T wrap(int32_t value) {
  return static_cast<T>(value);
}
template <class T>
T saturate(int64_t value) {
  return static_cast<T>(
      std::clamp<int64_t>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

template <class T>
T add(T a, T b) {
  return wrap<T>(a + b);
}
template <class T>
T addSaturating(T a, T b) {
  return saturate<T>(a + b);
}
template <class T>
T subtract(T a, T b) {
  return wrap<T>(a - b);
}
template <class T>
T subtractSaturating(T a, T b) {
  return saturate<T>(a - b);
}
template <class T>
T multiplyAdd(T a, T b, T c) {
  return static_cast<T>(static_cast<uint32_t>(a) * static_cast<uint32_t>(b) +
                        static_cast<uint32_t>(c));
}
template <class T>
T multiplyAddSaturating(T a, T b, T c) {
  return saturate<T>(int64_t{a} * b + c);
}
uint16_t multiply(uint16_t a, uint16_t b) {
  return static_cast<uint16_t>(uint32_t{a} * b);
}
template <class T>
T minimum(T a, T b) {
  return std::min(a, b);
}
template <class T>
T maximum(T a, T b) {
  return std::max(a, b);
}

/// The shifts take the count first.
uint16_t shiftLeft(uint16_t count, uint16_t value) {
  return static_cast<uint16_t>(uint32_t{value} << (count & 15));
}
template <class T>
T shiftRight(T count, T value) {
  return static_cast<T>(value >> (count & 15));
}

/// Both halves saturated to unsigned bytes, side by side in the low half.
uint16_t saturatedBytes(uint32_t halves) {
  const auto byte = [](uint32_t half) {
    return static_cast<uint32_t>(std::clamp<int16_t>(static_cast<int16_t>(half), 0, 255));
  };
  return static_cast<uint16_t>(byte(halves & 0xffff) | byte(halves >> 16) << 8);
}

template <auto Operation>
constexpr Opcode packed(std::string_view mnemonic) {
  using Lane = PackedInteger<Operation>;
  return {mnemonic, &Lane::run, Lane::operands(), kOpSel | kOpSelHi | kNoIndexing, nullptr};
}

/// The same with a saturating twin for `clamp`.
template <auto Operation, auto Saturating>
constexpr Opcode packed(std::string_view mnemonic) {
  Opcode opcode = packed<Operation>(mnemonic);
  opcode.modifiers |= kClamp;
  opcode.runClamped = &PackedInteger<Saturating>::run;
  return opcode;
}

constexpr Opcode kOpcodes[] = {
    packed<add<uint16_t>, addSaturating<uint16_t>>("v_pk_add_u16"),
    packed<add<int16_t>, addSaturating<int16_t>>("v_pk_add_i16"),
    packed<subtract<uint16_t>, subtractSaturating<uint16_t>>("v_pk_sub_u16"),
    packed<subtract<int16_t>, subtractSaturating<int16_t>>("v_pk_sub_i16"),
    packed<multiplyAdd<uint16_t>, multiplyAddSaturating<uint16_t>>("v_pk_mad_u16"),
    packed<multiplyAdd<int16_t>, multiplyAddSaturating<int16_t>>("v_pk_mad_i16"),
    packed<multiply>("v_pk_mul_lo_u16"),
    packed<minimum<uint16_t>>("v_pk_min_u16"),
    packed<minimum<int16_t>>("v_pk_min_i16"),
    packed<maximum<uint16_t>>("v_pk_max_u16"),
    packed<maximum<int16_t>>("v_pk_max_i16"),
    packed<shiftLeft>("v_pk_lshlrev_b16"),
    packed<shiftRight<uint16_t>>("v_pk_lshrrev_b16"),
    packed<shiftRight<int16_t>>("v_pk_ashrrev_i16"),
    laneOpcode<saturatedBytes>("v_sat_pk_u8_i16"),
};

} // namespace

Family packedIntegerFamily() {
  return kOpcodes;
}

} // namespace gpusim
