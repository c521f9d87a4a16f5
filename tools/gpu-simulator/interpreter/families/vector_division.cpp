// The steps of an exact division: v_div_scale, v_div_fmas, v_div_fixup.
#include "families.h"
#include "float_functions.h"
#include "float_operation.h"

namespace gpusim {

namespace {

/// Limits of the scaling rules.
template <class T>
struct Division {
  static constexpr bool kDouble = sizeof(T) == 8;
  static constexpr int kFarApart = kDouble ? 768 : 96; ///< quotient near overflow
  static constexpr int kTinyNumerator = kDouble ? 53 : 23;
  static constexpr int kCertainUnderflow = kDouble ? -1075 : -150;
  static constexpr int kBias = kDouble ? 1023 : 127;
  static constexpr T kUp = kDouble ? T(0x1p128) : T(0x1p64);
  static constexpr T kDown = kDouble ? T(0x1p-128) : T(0x1p-64);
  /// Reciprocals of larger values are denormal.
  static constexpr T kDenormalReciprocal = kDouble ? T(0x1p1022) : T(0x1p126);
};

template <class T>
int exponentOf(T value) {
  return FloatFormat<T>::exponent(std::bit_cast<LaneBits<T>>(value));
}
template <class T>
bool isDenormal(T value) {
  return FloatFormat<T>::isDenormal(std::bit_cast<LaneBits<T>>(value));
}

template <class T>
struct ScaledOperand {
  T value;
  bool needsCorrection; ///< v_div_fmas has to undo the scaling of the quotient
};

/// `value` is the denominator or the numerator.
template <class T>
ScaledOperand<T> scaleForDivision(T value, T denominator, T numerator) {
  using Limits = Division<T>;
  const T same = quieted(value);
  if (numerator == T(0) || denominator == T(0)) {
    return {fromPattern<T>(FloatFormat<T>::kDefaultNan), false};
  }
  if (exponentOf(numerator) - exponentOf(denominator) >= Limits::kFarApart) {
    return {value == denominator ? value * Limits::kUp : same, true};
  }
  if (isDenormal(denominator)) {
    return {value * Limits::kUp, false};
  }
  const bool smallReciprocal = std::abs(denominator) > Limits::kDenormalReciprocal &&
                               exponentOf(denominator) <= 2 * Limits::kBias;
  const bool smallQuotient = isDenormal(numerator / denominator);
  if (smallReciprocal && smallQuotient) {
    return {value == denominator ? value * Limits::kDown : same, true};
  }
  if (smallReciprocal) {
    return {value * Limits::kDown, false};
  }
  if (smallQuotient) {
    return {value == numerator ? value * Limits::kUp : same, true};
  }
  return {exponentOf(numerator) <= Limits::kTinyNumerator ? value * Limits::kUp : same, false};
}

/// Whether scaleForDivision returns `value` as it is. Only exponents are compared, so that a loop
/// over lanes becomes vector code; where it says no the answer may still be the same.
template <class T>
bool needsNoScaling(T value, T denominator, T numerator) {
  using Limits = Division<T>;
  constexpr int kNotFinite = 2 * Limits::kBias + 1;
  const int exponent = exponentOf(numerator);
  const int divisor = exponentOf(denominator);
  const int quotient = exponent - divisor;
  return (exponentOf(value) < kNotFinite) & (exponent > Limits::kTinyNumerator) &
         (exponent < kNotFinite) & (divisor > 0) & (divisor < 2 * Limits::kBias - 1) &
         (quotient > 1 - Limits::kBias) & (quotient < Limits::kFarApart);
}

template <class T>
Step divisionScale(Wave& wave, const Instruction& instruction) {
  LaneBuffer<T> buffers[3];
  const LaneBits<T>* sources[3];
  for (unsigned index = 0; index < 3; ++index) {
    sources[index] =
        readFloatLanes<T>(wave, instruction.operands[index + 2], Denormals::Mode, buffers[index]);
  }
  LaneBuffer<T> result;
  alignas(64) LaneWords special;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    result.value[lane] = sources[0][lane];
    special[lane] = needsNoScaling<T>(fromBits<T>(sources[0][lane]), fromBits<T>(sources[1][lane]),
                                      fromBits<T>(sources[2][lane]))
                        ? 0u
                        : ~0u;
  }
  uint64_t corrections = 0;
  forEachLane(packMask(special) & wave.exec(), [&](unsigned lane) {
    const ScaledOperand<T> scaled =
        scaleForDivision<T>(fromBits<T>(sources[0][lane]), fromBits<T>(sources[1][lane]),
                            fromBits<T>(sources[2][lane]));
    result.value[lane] = toBits<T>(scaled.value);
    corrections |= static_cast<uint64_t>(scaled.needsCorrection) << lane;
  });
  writeLanes<T>(wave, instruction.operands[0], result);
  writeMask(wave, instruction.operands[1], corrections);
  return Step::Continue;
}

__extension__ using Quad = __float128;
__extension__ using QuadBits = unsigned __int128;

/// (a * b + c) * factor, rounded once although the result may be denormal.
template <class T>
T fuseAndScale(T a, T b, T c, T factor) {
  const Quad product = static_cast<Quad>(a) * static_cast<Quad>(b); // exact
  const Quad addend = c;
  const Quad sum = product + addend;
  if (!(sum - sum == 0)) {
    return std::fma(a, b, c);
  }
  const Quad part = sum - product;
  const Quad error = (product - (sum - part)) + (addend - part);
  auto bits = std::bit_cast<QuadBits>(sum);
  if (error != 0 && (bits & 1) == 0) {
    // Rounding to odd: no later rounding can mistake the sum for a tie.
    bits += (error > 0) == (sum > 0) ? QuadBits{1} : ~QuadBits{0};
  }
  return static_cast<T>(std::bit_cast<Quad>(bits) * static_cast<Quad>(factor));
}

/// Where VCC is set the quotient was scaled; its magnitude tells the direction.
template <class T>
Step divisionFuseLanes(Wave& wave, const Instruction& instruction) {
  LaneBuffer<T> buffers[3];
  const LaneBits<T>* sources[3];
  for (unsigned index = 0; index < 3; ++index) {
    sources[index] =
        readFloatLanes<T>(wave, instruction.operands[index + 1], Denormals::Mode, buffers[index]);
  }
  LaneBuffer<T> result;
  fusedMultiplyAdd(sources[0], sources[1], sources[2], result.value);
  forEachLane(wave.vcc() & wave.exec(), [&](unsigned lane) {
    const T quotient = fromBits<T>(sources[2][lane]);
    const bool large = exponentOf(quotient) > Division<T>::kBias;
    result.value[lane] =
        toBits<T>(fuseAndScale<T>(fromBits<T>(sources[0][lane]), fromBits<T>(sources[1][lane]),
                                  quotient, large ? Division<T>::kUp : Division<T>::kDown));
  });
  settleNans<T, T, T, T>(result.value, sources[0], sources[1], sources[2]);
  applyOutputRules<T>(wave, instruction, Denormals::Mode, result.value);
  writeLanes<T>(wave, instruction.operands[0], result);
  return Step::Continue;
}

template <class T>
Step divisionFuse(Wave& wave, const Instruction& instruction) {
  const Rounding rounding = roundingOf<T>(wave.mode);
  return rounding == Rounding::Nearest
             ? divisionFuseLanes<T>(wave, instruction)
             : runRounded(rounding, &divisionFuseLanes<T>, wave, instruction);
}

/// Replaces the quotient where the operands alone decide. `kChecksRange`: not for half.
template <class T, bool kChecksRange>
T fixQuotient(T quotient, T denominator, T numerator) {
  using Format = FloatFormat<T>;
  const T infinity = fromPattern<T>(Format::kInfinity);
  const T sign = fromPattern<T>(
      (std::bit_cast<LaneBits<T>>(denominator) ^ std::bit_cast<LaneBits<T>>(numerator)) &
      Format::kSign);
  if (numerator != numerator) {
    return quieted(numerator);
  }
  if (denominator != denominator) {
    return quieted(denominator);
  }
  const bool infiniteNumerator = std::abs(numerator) == infinity;
  const bool infiniteDenominator = std::abs(denominator) == infinity;
  if ((numerator == T(0) && denominator == T(0)) || (infiniteNumerator && infiniteDenominator)) {
    return fromPattern<T>(Format::kDefaultNan);
  }
  if (denominator == T(0) || infiniteNumerator) {
    return withSignOf(infinity, sign);
  }
  if (infiniteDenominator || numerator == T(0)) {
    return sign;
  }
  if constexpr (kChecksRange) {
    const T one = withSignOf(T(1), sign); // overflows and underflows as the rounding mode says
    if (exponentOf(numerator) - exponentOf(denominator) < Division<T>::kCertainUnderflow) {
      return scaledByPower(one, 2 * Division<T>::kCertainUnderflow);
    }
    if (exponentOf(quotient) > 2 * Division<T>::kBias) { // an infinity or NaN on the way
      return scaledByPower(one, 4 * Division<T>::kBias);
    }
  }
  return withSignOf(quieted(quotient), sign);
}

constexpr FloatRules kOwnNans{.ownNans = true};
constexpr FloatRules kOwnNansSelect{.ownNans = true, .selectsHalves = true};

/// Whether fixQuotient only sets the sign. Told from exponents, like needsNoScaling.
template <class T>
bool needsNoFixing(T quotient, T denominator, T numerator) {
  using Limits = Division<T>;
  constexpr int kNotFinite = 2 * Limits::kBias + 1;
  const int exponent = exponentOf(numerator);
  const int divisor = exponentOf(denominator);
  return (exponentOf(quotient) < kNotFinite) & (exponent > 0) & (exponent < kNotFinite) &
         (divisor > 0) & (divisor < kNotFinite) & (exponent - divisor >= Limits::kCertainUnderflow);
}

template <class T>
Step fixQuotients(Wave& wave, const Instruction& instruction) {
  LaneBuffer<T> buffers[3];
  const LaneBits<T>* sources[3];
  for (unsigned index = 0; index < 3; ++index) {
    sources[index] =
        readFloatLanes<T>(wave, instruction.operands[index + 1], Denormals::Mode, buffers[index]);
  }
  LaneBuffer<T> result;
  alignas(64) LaneWords special;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const T quotient = fromBits<T>(sources[0][lane]);
    const T denominator = fromBits<T>(sources[1][lane]);
    const T numerator = fromBits<T>(sources[2][lane]);
    const T sign = fromPattern<T>(sources[1][lane] ^ sources[2][lane]);
    result.value[lane] = toBits<T>(withSignOf(quotient, sign));
    special[lane] = needsNoFixing<T>(quotient, denominator, numerator) ? 0u : ~0u;
  }
  if ((packMask(special) & wave.exec()) != 0 || roundingOf<T>(wave.mode) != Rounding::Nearest) {
    return FloatOperation<fixQuotient<T, true>, kOwnNans>::run(wave, instruction);
  }
  applyOutputRules<T>(wave, instruction, Denormals::Mode, result.value);
  writeLanes<T>(wave, instruction.operands[0], result);
  return Step::Continue;
}

template <class T>
constexpr Opcode fixupRow(std::string_view mnemonic) {
  Opcode opcode = floatOpcode<fixQuotient<T, true>, kOwnNans>(mnemonic);
  opcode.run = fixQuotients<T>;
  return opcode;
}

template <class T>
constexpr Opcode scaleRow(std::string_view mnemonic) {
  constexpr OperandSpec kSource{Role::Use, valueTypeOf<T>()};
  return {mnemonic,
          divisionScale<T>,
          {{{Role::Definition, valueTypeOf<T>()},
            {Role::Definition, ValueType::LaneMask},
            kSource,
            kSource,
            kSource}},
          kSigns,
          nullptr};
}

template <class T>
constexpr Opcode fuseRow(std::string_view mnemonic) {
  constexpr OperandSpec kSource{Role::Use, valueTypeOf<T>()};
  return {mnemonic,
          divisionFuse<T>,
          {{{Role::Definition, valueTypeOf<T>()}, kSource, kSource, kSource}},
          kSigns | kClamp | kOutputScale,
          nullptr};
}

constexpr Opcode kOpcodes[] = {
    scaleRow<float>("v_div_scale_f32"),
    scaleRow<double>("v_div_scale_f64"),
    fuseRow<float>("v_div_fmas_f32"),
    fuseRow<double>("v_div_fmas_f64"),
    fixupRow<float>("v_div_fixup_f32"),
    fixupRow<double>("v_div_fixup_f64"),
    halfOpcode<fixQuotient<float, false>, kOwnNansSelect>("v_div_fixup_f16"),
    halfOpcode<fixQuotient<float, false>, kOwnNans>("v_div_fixup_legacy_f16"),
};

} // namespace

Family vectorDivisionFamily() {
  return kOpcodes;
}

} // namespace gpusim
