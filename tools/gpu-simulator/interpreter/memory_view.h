// Guest memory as one dispatch sees it: cached ranges, checked accesses.
#pragma once

#include <array>
#include <cstdint>

#include "interpreter.h"

namespace gpusim {

/// Used by one thread.
class MemoryView {
public:
  explicit MemoryView(const GuestMemory& memory)
      : memory_(memory), generation_(memory.generation()) {}

  /// Drops cached ranges when a mapping went away. Call once per memory instruction.
  void refresh() {
    const uint64_t now = memory_.generation();
    if (now != generation_) {
      generation_ = now;
      recent_.fill({});
    }
  }

  /// The host bytes of `[address, address + bytes)`, or null when they are not one mapped piece or,
  /// for writing, not writable.
  std::byte* at(uint64_t address, uint64_t bytes, bool write) {
    const MemoryRange& range = recent_[0];
    if (holds(range, address, bytes) && (range.writable || !write)) {
      return range.host + (address - range.begin);
    }
    return find(address, bytes, write);
  }

  /// The range that was used last; may be empty.
  const MemoryRange& recent() const noexcept { return recent_[0]; }

private:
  static bool holds(const MemoryRange& range, uint64_t address, uint64_t bytes) {
    return address >= range.begin && address < range.end && bytes <= range.end - address;
  }

  std::byte* find(uint64_t address, uint64_t bytes, bool write);

  const GuestMemory& memory_;
  uint64_t generation_;
  std::array<MemoryRange, 4> recent_{}; ///< most recently used first
};

} // namespace gpusim
