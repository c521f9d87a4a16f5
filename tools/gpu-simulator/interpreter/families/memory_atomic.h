// Read-modify-write of one lane's word in guest memory, for the encodings that have such atomics.
#pragma once

#include "../atomic_operation.h"
#include "../lane_memory.h"
#include "half_pair.h"

namespace gpusim {

/// The data of a lane: one value, or for compare-and-swap the new value followed by the expected
/// one.
template <class T>
struct AtomicData {
  using Bits = atomic::Bits<T>;
  Bits value;
  Bits expected;
};

template <class T>
atomic::Bits<T> readBits(const Wave& wave, unsigned index, unsigned lane) {
  if constexpr (sizeof(T) == 8) {
    return wave.vgpr[index][lane] | static_cast<uint64_t>(wave.vgpr[index + 1][lane]) << 32;
  } else {
    return wave.vgpr[index][lane];
  }
}

/// An atomic with one value; `Operation<T>::apply(old, value)` gives what is stored.
template <class T, template <class> class Operation>
struct MemoryUpdate {
  using Type = T;
  static constexpr unsigned kValues = 1;
  static atomic::Bits<T> apply(atomic::Bits<T>* word, const AtomicData<T>& data) {
    return atomic::update<T, Operation>(word, data.value);
  }
};

template <class T>
struct MemoryCompareSwap {
  using Type = T;
  static constexpr unsigned kValues = 2;
  static atomic::Bits<T> apply(atomic::Bits<T>* word, const AtomicData<T>& data) {
    return atomic::compareSwap<T>(word, data.value, data.expected);
  }
};

/// Compared as numbers: zeros of both signs are equal, a NaN equals nothing.
template <class T>
struct MemoryFloatCompareSwap {
  using Type = T;
  static constexpr unsigned kValues = 2;
  static atomic::Bits<T> apply(atomic::Bits<T>* word, const AtomicData<T>& data) {
    atomic::Bits<T> old = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (std::bit_cast<T>(old) == std::bit_cast<T>(data.expected) &&
           !__atomic_compare_exchange_n(word, &old, data.value, true, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED)) {
    }
    return old;
  }
};

template <class Atomic>
AtomicData<typename Atomic::Type> readAtomicData(const Wave& wave, unsigned index, unsigned lane) {
  using T = typename Atomic::Type;
  AtomicData<T> data{readBits<T>(wave, index, lane), 0};
  if constexpr (Atomic::kValues == 2) {
    data.expected = readBits<T>(wave, index + sizeof(T) / 4, lane);
  }
  return data;
}

/// The atomics that each of these encodings has: ROW(<name as a literal>, <what it does>),
/// separated by commas.
#define GPUSIM_MEMORY_ATOMICS(ROW)                                                                 \
  ROW("swap", MemoryUpdate<uint32_t, atomic::Swap>),                                               \
      ROW("swap_x2", MemoryUpdate<uint64_t, atomic::Swap>),                                        \
      ROW("cmpswap", MemoryCompareSwap<uint32_t>), ROW("cmpswap_x2", MemoryCompareSwap<uint64_t>), \
      ROW("add", MemoryUpdate<uint32_t, atomic::Add>),                                             \
      ROW("add_x2", MemoryUpdate<uint64_t, atomic::Add>),                                          \
      ROW("sub", MemoryUpdate<uint32_t, atomic::Subtract>),                                        \
      ROW("sub_x2", MemoryUpdate<uint64_t, atomic::Subtract>),                                     \
      ROW("smin", MemoryUpdate<int32_t, atomic::Minimum>),                                         \
      ROW("smin_x2", MemoryUpdate<int64_t, atomic::Minimum>),                                      \
      ROW("umin", MemoryUpdate<uint32_t, atomic::Minimum>),                                        \
      ROW("umin_x2", MemoryUpdate<uint64_t, atomic::Minimum>),                                     \
      ROW("smax", MemoryUpdate<int32_t, atomic::Maximum>),                                         \
      ROW("smax_x2", MemoryUpdate<int64_t, atomic::Maximum>),                                      \
      ROW("umax", MemoryUpdate<uint32_t, atomic::Maximum>),                                        \
      ROW("umax_x2", MemoryUpdate<uint64_t, atomic::Maximum>),                                     \
      ROW("and", MemoryUpdate<uint32_t, atomic::And>),                                             \
      ROW("and_x2", MemoryUpdate<uint64_t, atomic::And>),                                          \
      ROW("or", MemoryUpdate<uint32_t, atomic::Or>),                                               \
      ROW("or_x2", MemoryUpdate<uint64_t, atomic::Or>),                                            \
      ROW("xor", MemoryUpdate<uint32_t, atomic::Xor>),                                             \
      ROW("xor_x2", MemoryUpdate<uint64_t, atomic::Xor>),                                          \
      ROW("inc", MemoryUpdate<uint32_t, atomic::Increment>),                                       \
      ROW("inc_x2", MemoryUpdate<uint64_t, atomic::Increment>),                                    \
      ROW("dec", MemoryUpdate<uint32_t, atomic::Decrement>),                                       \
      ROW("dec_x2", MemoryUpdate<uint64_t, atomic::Decrement>),                                    \
      ROW("csub", MemoryUpdate<uint32_t, atomic::SubtractToZero>),                                 \
      ROW("fcmpswap", MemoryFloatCompareSwap<float>),                                              \
      ROW("fcmpswap_x2", MemoryFloatCompareSwap<double>),                                          \
      ROW("fmin", MemoryUpdate<float, atomic::FloatMinimum>),                                      \
      ROW("fmin_x2", MemoryUpdate<double, atomic::FloatMinimum>),                                  \
      ROW("fmax", MemoryUpdate<float, atomic::FloatMaximum>),                                      \
      ROW("fmax_x2", MemoryUpdate<double, atomic::FloatMaximum>),                                  \
      ROW("add_f32", MemoryUpdate<float, atomic::FloatAdd>),                                       \
      ROW("add_f64", MemoryUpdate<double, atomic::FloatAdd>),                                      \
      ROW("min_f64", MemoryUpdate<double, atomic::FloatMinimum>),                                  \
      ROW("max_f64", MemoryUpdate<double, atomic::FloatMaximum>),                                  \
      ROW("pk_add_f16", MemoryUpdate<uint32_t, atomic::AddHalves>),                                \
      ROW("pk_add_bf16", MemoryUpdate<uint32_t, atomic::AddBrainFloats>)

} // namespace gpusim
