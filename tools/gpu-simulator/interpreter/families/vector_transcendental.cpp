// Reciprocals, roots, exponentials, logarithms and circular functions. The hardware approximates
// them within stated errors; here they are computed more precisely and rounded.
#include <numbers>

#include "families.h"
#include "float_functions.h"
#include "float_operation.h"

namespace gpusim {

namespace {

template <class T>
T reciprocal(T value) {
  return T(1) / value;
}
template <class T>
T squareRoot(T value) {
  return std::sqrt(value);
}
/// Minus infinity for -0, as 1 / sqrt(-0).
template <class T>
T reciprocalRoot(T value) {
  return static_cast<T>(1.0 / std::sqrt(static_cast<double>(value)));
}
float powerOfTwo(float value) {
  return static_cast<float>(std::exp2(static_cast<double>(value)));
}
float logarithm(float value) {
  return static_cast<float>(std::log2(static_cast<double>(value)));
}

/// Arguments beyond this many turns are out of range: as if they were 0.
constexpr float kLargestTurns = 256.0f;

/// The turns beyond whole ones; zeros keep the sign of the argument.
double partOfTurn(double turns) {
  const double rest = turns - roundedToNearest(turns);
  return rest == 0 ? withSignOf(0.0, turns) : rest;
}

/// The sine of `turns` in [-0.75, 0.75] full turns; exact at multiples of a quarter.
double sineOfTurns(double turns) {
  const double folded = std::abs(turns) > 0.25 ? std::copysign(0.5, turns) - turns : turns;
  return std::sin(2 * std::numbers::pi * folded);
}

float sine(float turns) {
  if (std::abs(turns) > kLargestTurns && std::abs(turns) < fromPattern<float>(0x7f800000u)) {
    return 0.0f;
  }
  // The difference of infinities is the NaN it should be.
  return static_cast<float>(sineOfTurns(partOfTurn(turns)));
}

float cosine(float turns) {
  if (std::abs(turns) > kLargestTurns && std::abs(turns) < fromPattern<float>(0x7f800000u)) {
    return 1.0f;
  }
  return static_cast<float>(sineOfTurns(0.25 - std::abs(partOfTurn(turns))));
}

/// The single-precision unit does not know denormals.
constexpr FloatRules kFlushed{.denormals = Denormals::Flushed};

constexpr Opcode kOpcodes[] = {
    floatOpcode<reciprocal<float>, kFlushed>("v_rcp_f32"),
    floatOpcode<reciprocal<float>, kFlushed>("v_rcp_iflag_f32"),
    floatOpcode<reciprocal<double>>("v_rcp_f64"),
    halfOpcode<reciprocal<double>>("v_rcp_f16"),
    floatOpcode<squareRoot<float>, kFlushed>("v_sqrt_f32"),
    floatOpcode<squareRoot<double>>("v_sqrt_f64"),
    halfOpcode<squareRoot<double>>("v_sqrt_f16"),
    floatOpcode<reciprocalRoot<float>, kFlushed>("v_rsq_f32"),
    floatOpcode<reciprocalRoot<double>>("v_rsq_f64"),
    halfOpcode<reciprocalRoot<double>>("v_rsq_f16"),
    floatOpcode<powerOfTwo, kFlushed>("v_exp_f32"),
    halfOpcode<powerOfTwo>("v_exp_f16"),
    floatOpcode<logarithm, kFlushed>("v_log_f32"),
    halfOpcode<logarithm>("v_log_f16"),
    floatOpcode<sine, kFlushed>("v_sin_f32"),
    halfOpcode<sine>("v_sin_f16"),
    floatOpcode<cosine, kFlushed>("v_cos_f32"),
    halfOpcode<cosine>("v_cos_f16"),
};

} // namespace

Family vectorTranscendentalFamily() {
  return kOpcodes;
}

} // namespace gpusim
