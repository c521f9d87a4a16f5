// Small exact functions of floating-point values that several families share.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "float_environment.h"

namespace gpusim {

template <class T>
T fromPattern(LaneBits<T> bits) {
  return std::bit_cast<T>(bits);
}

template <class T>
bool isSignalling(T value) {
  return FloatFormat<T>::isSignalling(std::bit_cast<LaneBits<T>>(value));
}

/// NaNs made quiet, everything else unchanged.
template <class T>
T quieted(T value) {
  const auto bits = std::bit_cast<LaneBits<T>>(value);
  return fromPattern<T>(FloatFormat<T>::isNan(bits) ? bits | FloatFormat<T>::kQuiet : bits);
}

template <class T>
T withSignOf(T magnitude, T sign) {
  using Format = FloatFormat<T>;
  return fromPattern<T>(Format::magnitude(std::bit_cast<LaneBits<T>>(magnitude)) |
                        (std::bit_cast<LaneBits<T>>(sign) & Format::kSign));
}

/// The integer of the host in which every float below `kIntegral` fits.
template <class T>
using IntegerOf = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;

/// From here on all values are integers.
template <class T>
inline constexpr T kIntegral = T(uint64_t{1} << FloatFormat<T>::kMantissaBits);

// The four roundings to integers go through integer conversion: it is the same in every rounding
// mode and needs no library call. NaNs and large values are returned as they are.

template <class T>
T truncated(T value) {
  const bool small = std::abs(value) < kIntegral<T>;
  const T whole = static_cast<T>(static_cast<IntegerOf<T>>(small ? value : T(0)));
  return small ? withSignOf(whole, value) : value;
}

template <class T>
T roundedDown(T value) {
  const T whole = truncated(value);
  return whole > value ? whole - T(1) : whole;
}

template <class T>
T roundedUp(T value) {
  const T whole = truncated(value);
  return whole < value ? withSignOf(whole + T(1), value) : whole;
}

/// Ties to even.
template <class T>
T roundedToNearest(T value) {
  const T whole = truncated(value);
  const T rest = std::abs(value - whole);
  const bool small = std::abs(value) < kIntegral<T>;
  const bool odd = (static_cast<IntegerOf<T>>(small ? whole : T(0)) & 1) != 0;
  const bool away = rest > T(0.5) || (rest == T(0.5) && odd);
  return away ? withSignOf(std::abs(whole) + T(1), value) : whole;
}

/// value * 2^exponent, rounded once.
inline float scaledByPower(float value, int exponent) {
  const int bounded = exponent < -400 ? -400 : exponent > 400 ? 400 : exponent;
  const double factor = std::bit_cast<double>(static_cast<uint64_t>(1023 + bounded) << 52);
  return static_cast<float>(static_cast<double>(value) * factor);
}
inline double scaledByPower(double value, int exponent) {
  return std::ldexp(value, exponent);
}

} // namespace gpusim
