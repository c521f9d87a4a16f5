// Memory accesses of single lanes: global addresses, scratch (private) offsets, LDS, and the flat
// address space that contains all three.
#pragma once

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "execution.h"

namespace gpusim {

enum class Space : uint8_t { Flat, Global, Scratch };

/// Copies between guest memory and words so that naturally aligned words are never torn: other
/// queues and the host access the same memory.
[[gnu::always_inline]] inline void copyFromGuest(void* words, const std::byte* guest,
                                                 unsigned bytes) {
  if (bytes == 4 && reinterpret_cast<uintptr_t>(guest) % 4 == 0) {
    const uint32_t value =
        __atomic_load_n(reinterpret_cast<const uint32_t*>(guest), __ATOMIC_RELAXED);
    std::memcpy(words, &value, 4);
  } else if (bytes == 8 && reinterpret_cast<uintptr_t>(guest) % 8 == 0) {
    const uint64_t value =
        __atomic_load_n(reinterpret_cast<const uint64_t*>(guest), __ATOMIC_RELAXED);
    std::memcpy(words, &value, 8);
  } else {
    std::memcpy(words, guest, bytes);
  }
}
[[gnu::always_inline]] inline void copyToGuest(std::byte* guest, const void* words,
                                               unsigned bytes) {
  if (bytes == 4 && reinterpret_cast<uintptr_t>(guest) % 4 == 0) {
    uint32_t value = 0;
    std::memcpy(&value, words, 4);
    __atomic_store_n(reinterpret_cast<uint32_t*>(guest), value, __ATOMIC_RELAXED);
  } else if (bytes == 8 && reinterpret_cast<uintptr_t>(guest) % 8 == 0) {
    uint64_t value = 0;
    std::memcpy(&value, words, 8);
    __atomic_store_n(reinterpret_cast<uint64_t*>(guest), value, __ATOMIC_RELAXED);
  } else {
    std::memcpy(guest, words, bytes);
  }
}

/// Resolves lane addresses for one wave and one instruction.
class LaneMemory {
public:
  LaneMemory(Wave& wave, bool write)
      : wave_(wave), view_(wave.execution->memory()), write_(write),
        sharedHigh_(wave.sgpr[scalar::kSharedBase + 1]),
        privateHigh_(wave.sgpr[scalar::kPrivateBase + 1]) {
    view_.refresh();
    openWindow();
  }

  /// Calls `copy(piece, done, count)` for the host bytes that hold `[address, address + kBytes)`,
  /// in pieces when the private segment interleaves them. `count` is a constant in the common case,
  /// so that copies are inlined. False: not accessible.
  template <Space kSpace, unsigned kBytes, class Copy>
  bool access(unsigned lane, uint64_t address, Copy&& copy) {
    if constexpr (kSpace == Space::Scratch) {
      return accessPrivate<kBytes>(lane, static_cast<uint32_t>(address), copy);
    }
    if constexpr (kSpace == Space::Flat) {
      const auto high = static_cast<uint32_t>(address >> 32);
      if (high == privateHigh_ && high != 0) {
        return accessPrivate<kBytes>(lane, static_cast<uint32_t>(address), copy);
      }
      if (high == sharedHigh_ && high != 0) {
        return accessShared<kBytes>(static_cast<uint32_t>(address), copy);
      }
    }
    return accessGlobal<kBytes>(address, copy);
  }

  template <unsigned kBytes, class Copy>
  bool accessGlobal(uint64_t address, Copy&& copy) {
    const uint64_t offset = address - windowBegin_;
    if (offset < windowBytes_ && windowBytes_ - offset >= kBytes) [[likely]] {
      copy(windowHost_ + offset, 0u, std::integral_constant<unsigned, kBytes>{});
      return true;
    }
    if (std::byte* host = view_.at(address, kBytes, write_)) {
      openWindow();
      copy(host, 0u, std::integral_constant<unsigned, kBytes>{});
      return true;
    }
    return kBytes > 1 && accessBytes(address, kBytes, copy);
  }

  /// The host bytes of all lanes when they follow each other from `first` on, `kBytes` a lane; null
  /// when that is not one accessible mapping (lanes then have to be tried one by one).
  template <unsigned kBytes>
  std::byte* row(uint64_t first) {
    std::byte* host = view_.at(first, kBytes * wave_.lanes, write_);
    openWindow();
    return host;
  }

  template <unsigned kBytes, class Copy>
  bool accessShared(uint32_t offset, Copy&& copy) {
    std::vector<std::byte>& lds = wave_.group->lds;
    if (offset + uint64_t{kBytes} > lds.size()) {
      return false;
    }
    copy(lds.data() + offset, 0u, std::integral_constant<unsigned, kBytes>{});
    return true;
  }

  /// Dwords of the lanes interleave; FLAT_SCRATCH is the base of the wave.
  template <unsigned kBytes, class Copy>
  bool accessPrivate(unsigned lane, uint32_t offset, Copy&& copy) {
    const uint64_t base = wave_.pair(scalar::kFlatScratch);
    for (unsigned done = 0; done < kBytes;) {
      const uint32_t at = offset + done;
      const unsigned count = std::min(kBytes - done, 4 - at % 4);
      if (at >= wave_.execution->dispatch().scratch.bytesPerWave / wave_.lanes) {
        return false;
      }
      const uint64_t address = base + uint64_t{at / 4} * (4u * wave_.lanes) + 4 * lane + at % 4;
      std::byte* host = view_.at(address, count, write_);
      if (host == nullptr) {
        return false;
      }
      copy(host, done, count);
      done += count;
    }
    return true;
  }

private:
  /// Across the border of two mappings.
  template <class Copy>
  bool accessBytes(uint64_t address, unsigned bytes, Copy&& copy) {
    for (unsigned done = 0; done < bytes; ++done) {
      std::byte* host = view_.at(address + done, 1, write_);
      if (host == nullptr) {
        return false;
      }
      copy(host, done, 1u);
    }
    return true;
  }

  /// Neighbouring lanes mostly touch one mapping, so its bounds are held here.
  void openWindow() {
    const MemoryRange& range = view_.recent();
    windowBegin_ = range.begin;
    windowBytes_ = range.writable || !write_ ? range.end - range.begin : 0;
    windowHost_ = range.host;
  }

  Wave& wave_;
  MemoryView& view_;
  uint64_t windowBegin_ = 0;
  uint64_t windowBytes_ = 0;
  std::byte* windowHost_ = nullptr;
  bool write_;
  uint32_t sharedHigh_;
  uint32_t privateHigh_;
};

/// Whether the lanes access neighbouring pieces of `kBytes`: the usual pattern of a full wave.
template <unsigned kBytes>
bool isRow(const uint64_t (&addresses)[kLanes], unsigned lanes) {
  uint64_t difference = 0;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    difference |= addresses[lane] ^ (addresses[0] + uint64_t{kBytes} * lane);
  }
  return difference == 0;
}

/// Addresses of all lanes: 64-bit from registers, or a scalar base with 32-bit lane offsets.
/// `vectorPart` or `scalarPart` may be `off`.
void laneAddresses(const Wave& wave, const Instruction& instruction, const Operand& vectorPart,
                   const Operand& scalarPart, Space space, uint64_t (&addresses)[kLanes]);

/// The fault of a lane whose address is not accessible.
Step memoryViolation(const Wave& wave, const Instruction& instruction, unsigned lane,
                     uint64_t address, bool isWrite);

/// The fault of an atomic operation whose address is no multiple of its size.
Step unalignedAtomic(const Wave& wave, const Instruction& instruction, unsigned lane,
                     uint64_t address);

} // namespace gpusim
