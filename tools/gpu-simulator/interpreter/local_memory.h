// The local data share (LDS) as DS instructions see it.
#pragma once

#include <cstring>

#include <fmt/format.h>

#include "execution.h"

namespace gpusim {

/// Addresses are sums modulo 2^32 (compilers fold constants into offsets of negative bases).
/// Bounds-checked access to the LDS of a wave's workgroup. Hardware reads 0 beyond the allocation;
/// here it is a fault, since no correct program depends on it.
class LocalMemory {
public:
  explicit LocalMemory(Wave& wave) : lds_(wave.group->lds) {}

  /// Null when `[address, address + bytes)` leaves the allocation.
  std::byte* at(uint32_t address, unsigned bytes) {
    return uint64_t{address} + bytes <= lds_.size() ? lds_.data() + address : nullptr;
  }

  Step violation(const Wave& wave, const Instruction& instruction, unsigned lane, uint32_t address,
                 bool isWrite) const {
    return wave.execution->fail(
        wave, instruction, Fault::Kind::ApertureViolation,
        fmt::format("lane {} accesses LDS offset {:#x}, but the work-group has {:#x} bytes", lane,
                    address, lds_.size()),
        address, isWrite);
  }

private:
  std::vector<std::byte>& lds_;
};

} // namespace gpusim
