// The floating-point rules of the MODE register: rounding, denormals, clamp and output scale.
#pragma once

#include "../operand_access.h"
#include "half_float.h"

namespace gpusim {

/// Bit patterns of a stored floating-point type.
template <class T>
struct FloatFormat {
  using Bits = LaneBits<T>;
  static constexpr unsigned kMantissaBits = sizeof(T) == 8 ? 52 : sizeof(T) == 4 ? 23 : 10;
  static constexpr Bits kSign = kSignBit<T>;
  static constexpr Bits kMantissa = (Bits{1} << kMantissaBits) - 1;
  static constexpr Bits kInfinity = (kSign - 1) & ~kMantissa;
  static constexpr Bits kQuiet = Bits{1} << (kMantissaBits - 1);
  static constexpr Bits kLargest = kInfinity - 1;
  /// What an invalid operation returns.
  static constexpr Bits kDefaultNan = kSign | kInfinity | kQuiet;

  static constexpr Bits magnitude(Bits bits) { return bits & (kSign - 1); }
  static constexpr bool isNan(Bits bits) { return magnitude(bits) > kInfinity; }
  static constexpr bool isSignalling(Bits bits) { return isNan(bits) && (bits & kQuiet) == 0; }
  static constexpr bool isDenormal(Bits bits) {
    return magnitude(bits) != 0 && magnitude(bits) <= kMantissa;
  }
  /// Denormals become a zero of their sign.
  static constexpr Bits flushed(Bits bits) { return (bits & kInfinity) == 0 ? bits & kSign : bits; }
  /// The exponent field.
  static constexpr int exponent(Bits bits) {
    return static_cast<int>(magnitude(bits) >> kMantissaBits);
  }
};

template <class T>
inline constexpr bool kIsStoredFloat =
    std::is_same_v<T, Half> || std::is_same_v<T, float> || std::is_same_v<T, double>;

/// Whether an operation follows MODE or its own rule.
enum class Denormals : uint8_t { Mode, Flushed, Kept };

template <class T>
bool flushesInputs(uint32_t mode, Denormals rule) {
  constexpr uint32_t kAllow = sizeof(T) == 4 ? mode::kDenormalIn32 : mode::kDenormalIn64;
  return rule == Denormals::Flushed || (rule == Denormals::Mode && (mode & kAllow) == 0);
}

template <class T>
bool flushesOutputs(uint32_t mode, Denormals rule) {
  constexpr uint32_t kAllow = sizeof(T) == 4 ? mode::kDenormalOut32 : mode::kDenormalOut64;
  return rule == Denormals::Flushed || (rule == Denormals::Mode && (mode & kAllow) == 0);
}

/// Single precision has its own rounding field; half and double share the other.
template <class T>
Rounding roundingOf(uint32_t mode) {
  return static_cast<Rounding>(sizeof(T) == 4 ? mode & 3 : mode >> 2 & 3);
}

/// Runs `handler` while the host rounds that way. The handler must be behind a pointer: otherwise
/// the compiler may move arithmetic out of the scope of the rounding mode.
Step runRounded(Rounding rounding, Handler handler, Wave& wave, const Instruction& instruction);

/// Applies denormal rule, output scale and clamp to results. As the hardware does, the scale is
/// ignored in IEEE mode and where denormal results are allowed.
template <class T>
void applyOutputRules(const Wave& wave, const Instruction& instruction, Denormals rule,
                      LaneBits<T>* lanes);

extern template void applyOutputRules<Half>(const Wave&, const Instruction&, Denormals, uint32_t*);
extern template void applyOutputRules<float>(const Wave&, const Instruction&, Denormals, uint32_t*);
extern template void applyOutputRules<double>(const Wave&, const Instruction&, Denormals,
                                              uint64_t*);

/// readLanes, then the denormal rule for inputs.
template <class T>
const LaneBits<T>* readFloatLanes(const Wave& wave, const Operand& operand, Denormals rule,
                                  LaneBuffer<T>& buffer) {
  const LaneBits<T>* lanes = readLanes<T>(wave, operand, buffer);
  if constexpr (kIsStoredFloat<T>) {
    if (flushesInputs<T>(wave.mode, rule)) {
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        LaneBits<T> bits = lanes[lane];
        if constexpr (sizeof(T) == 2) {
          bits &= 0xffff;
        }
        buffer.value[lane] = FloatFormat<T>::flushed(bits);
      }
      return buffer.value;
    }
  }
  return lanes;
}

} // namespace gpusim
