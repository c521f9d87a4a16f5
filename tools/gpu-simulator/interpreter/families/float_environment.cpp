#include "float_environment.h"

#include <cfenv>

namespace gpusim {

namespace {

int hostRounding(Rounding rounding) {
  switch (rounding) {
  case Rounding::Upward:
    return FE_UPWARD;
  case Rounding::Downward:
    return FE_DOWNWARD;
  case Rounding::TowardZero:
    return FE_TOWARDZERO;
  case Rounding::Nearest:
    break;
  }
  return FE_TONEAREST;
}

/// Half is scaled in single precision, where that is exact.
template <class T>
using Scaled = std::conditional_t<std::is_same_v<T, double>, double, float>;

template <class T>
Scaled<T> toScaled(LaneBits<T> bits) {
  if constexpr (std::is_same_v<T, Half>) {
    return widen(Half{static_cast<uint16_t>(bits)});
  } else {
    return fromBits<T>(bits);
  }
}

template <class T>
LaneBits<T> fromScaled(Scaled<T> value) {
  if constexpr (std::is_same_v<T, Half>) {
    return roundToHalf(value).bits;
  } else {
    return toBits<T>(value);
  }
}

/// Output scales do not preserve the sign of zero.
template <class T>
void scaleLanes(unsigned scale, LaneBits<T>* lanes) {
  constexpr float kFactors[] = {1.0f, 2.0f, 4.0f, 0.5f};
  const float factor = kFactors[scale & 3];
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const LaneBits<T> bits =
        FloatFormat<T>::flushed(fromScaled<T>(toScaled<T>(lanes[lane]) * factor));
    lanes[lane] = FloatFormat<T>::magnitude(bits) == 0 ? 0 : bits;
  }
}

template <class T>
void clampLanes(bool nanToZero, LaneBits<T>* lanes) {
  constexpr LaneBits<T> kOne =
      LaneBits<T>{FloatFormat<T>::kInfinity >> 1} & ~FloatFormat<T>::kMantissa;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const LaneBits<T> bits = lanes[lane];
    const bool isNan = FloatFormat<T>::isNan(bits);
    const bool isNegative = bits > FloatFormat<T>::kSign; // not -0
    const LaneBits<T> clamped = isNegative                                    ? 0
                                : bits > kOne && bits < FloatFormat<T>::kSign ? kOne
                                                                              : bits;
    lanes[lane] = isNan ? (nanToZero ? 0 : bits) : clamped;
  }
}

} // namespace

Step runRounded(Rounding rounding, Handler handler, Wave& wave, const Instruction& instruction) {
  const int saved = std::fegetround();
  std::fesetround(hostRounding(rounding));
  const Step step = handler(wave, instruction);
  std::fesetround(saved);
  return step;
}

template <class T>
void applyOutputRules(const Wave& wave, const Instruction& instruction, Denormals rule,
                      LaneBits<T>* lanes) {
  const bool flush = flushesOutputs<T>(wave.mode, rule);
  if (flush) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      lanes[lane] = FloatFormat<T>::flushed(lanes[lane]);
    }
  }
  if (instruction.outputScale != 0 && flush && (wave.mode & mode::kIeee) == 0) {
    scaleLanes<T>(instruction.outputScale, lanes);
  }
  if (instruction.clamp) {
    clampLanes<T>((wave.mode & mode::kDx10Clamp) != 0, lanes);
  }
}

template void applyOutputRules<Half>(const Wave&, const Instruction&, Denormals, uint32_t*);
template void applyOutputRules<float>(const Wave&, const Instruction&, Denormals, uint32_t*);
template void applyOutputRules<double>(const Wave&, const Instruction&, Denormals, uint64_t*);

} // namespace gpusim
