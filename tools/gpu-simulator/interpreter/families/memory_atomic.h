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

template <class Atomic>
AtomicData<typename Atomic::Type> readAtomicData(const Wave& wave, unsigned index, unsigned lane) {
  using T = typename Atomic::Type;
  AtomicData<T> data{readBits<T>(wave, index, lane), 0};
  if constexpr (Atomic::kValues == 2) {
    data.expected = readBits<T>(wave, index + sizeof(T) / 4, lane);
  }
  return data;
}

} // namespace gpusim
