// The local data share (LDS) as DS instructions see it.
#pragma once

#include <array>
#include <cstring>

#include <fmt/format.h>

#include "execution.h"

namespace gpusim {

/// Addresses are sums modulo 2^32 (compilers fold constants into offsets of negative bases).
/// Bounds-checked access to the LDS of a wave's workgroup; see LocalOverrun.
class LocalMemory {
public:
  explicit LocalMemory(Wave& wave)
      : lds_(wave.group->lds), overrun_(wave.execution->dispatch().localOverrun) {}

  /// When `[address, address + bytes)` leaves the allocation: null, or memory that reads 0 and is
  /// nobody's, good until the next call.
  std::byte* at(uint32_t address, unsigned bytes) {
    return uint64_t{address} + bytes <= lds_.size() ? lds_.data() + address : outside();
  }

  Step violation(const Wave& wave, const Instruction& instruction, unsigned lane, uint32_t address,
                 bool isWrite) const {
    return wave.execution->fail(
        wave, instruction, Fault::Kind::ApertureViolation,
        fmt::format("lane {} accesses LDS offset {:#x}, but the work-group has {:#x} bytes (where "
                    "the program means it: --local-memory-overrun discard)",
                    lane, address, lds_.size()),
        address, isWrite);
  }

private:
  std::byte* outside() {
    discarded_.fill(std::byte{0});
    return overrun_ == LocalOverrun::Discard ? discarded_.data() : nullptr;
  }

  std::vector<std::byte>& lds_;
  LocalOverrun overrun_;
  std::array<std::byte, 16> discarded_{}; // the widest access
};

} // namespace gpusim
