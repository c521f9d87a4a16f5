// Reading packets out of an SDMA ring.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace gpusim {

/// The words of a packet in order; wraps at the ring's end.
class SdmaWords {
public:
  SdmaWords(const std::byte* ring, uint32_t ringBytes, uint64_t position)
      : ring_(ring), ringBytes_(ringBytes), position_(position) {}

  uint32_t next() {
    uint32_t word = 0;
    std::memcpy(&word, ring_ + position_ % ringBytes_, sizeof(word));
    position_ += sizeof(word);
    return word;
  }

  /// Two words, the low one first.
  uint64_t nextPair() {
    const uint64_t low = next();
    return low | (uint64_t{next()} << 32);
  }

  void skip(uint64_t words) { position_ += words * sizeof(uint32_t); }

  /// Byte position of the next word; never wraps.
  uint64_t position() const { return position_; }

private:
  const std::byte* ring_;
  uint32_t ringBytes_;
  uint64_t position_;
};

} // namespace gpusim
