// Read-modify-write operations on guest memory. Always real host atomics: other queues and the host
// access the same words.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace gpusim {

namespace atomic {

template <class T>
struct Add {
  static T apply(T old, T value) { return old + value; }
};
template <class T>
struct Subtract {
  static T apply(T old, T value) { return old - value; }
};
template <class T>
struct ReverseSubtract {
  static T apply(T old, T value) { return value - old; }
};
template <class T>
struct Swap {
  static T apply(T, T value) { return value; }
};
template <class T>
struct And {
  static T apply(T old, T value) { return old & value; }
};
template <class T>
struct Or {
  static T apply(T old, T value) { return old | value; }
};
template <class T>
struct Xor {
  static T apply(T old, T value) { return old ^ value; }
};
/// Minimum and maximum as `T`, signed or unsigned.
template <class T>
struct Minimum {
  static T apply(T old, T value) { return value < old ? value : old; }
};
template <class T>
struct Maximum {
  static T apply(T old, T value) { return value > old ? value : old; }
};
/// Counts up and wraps to 0 after `value`.
template <class T>
struct Increment {
  static T apply(T old, T value) { return old >= value ? 0 : old + 1; }
};
/// Counts down and wraps to `value` after 0.
template <class T>
struct Decrement {
  static T apply(T old, T value) { return old == 0 || old > value ? value : old - 1; }
};
/// Subtracts, but not below 0.
template <class T>
struct SubtractToZero {
  static T apply(T old, T value) { return old < value ? 0 : old - value; }
};
template <class T>
struct FloatAdd {
  static T apply(T old, T value) { return old + value; }
};
/// The memory's single precision adder flushes denormals whatever the wave's mode is.
template <>
struct FloatAdd<float> {
  static float flush(float value) {
    return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
  }
  static float apply(float old, float value) { return flush(flush(old) + flush(value)); }
};
/// What the local data share adds with where denormals are allowed.
template <class T>
struct ExactFloatAdd {
  static T apply(T old, T value) { return old + value; }
};
template <class T>
struct FloatMinimum {
  static T apply(T old, T value) { return std::fmin(old, value); }
};
template <class T>
struct FloatMaximum {
  static T apply(T old, T value) { return std::fmax(old, value); }
};

template <class T>
using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

/// Applies `Operation<T>` to the aligned word and returns its old bits.
template <class T, template <class> class Operation>
Bits<T> update(Bits<T>* word, Bits<T> operand) {
  Bits<T> old = __atomic_load_n(word, __ATOMIC_RELAXED);
  Bits<T> updated = 0;
  do {
    updated = std::bit_cast<Bits<T>>(
        Operation<T>::apply(std::bit_cast<T>(old), std::bit_cast<T>(operand)));
  } while (
      !__atomic_compare_exchange_n(word, &old, updated, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
  return old;
}

/// Stores `value` if the word equals `expected`; returns its old bits.
template <class T>
Bits<T> compareSwap(Bits<T>* word, Bits<T> value, Bits<T> expected) {
  __atomic_compare_exchange_n(word, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return expected;
}

} // namespace atomic

} // namespace gpusim
