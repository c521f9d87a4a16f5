#include "lane_memory.h"

#include <fmt/format.h>

namespace gpusim {

void laneAddresses(const Wave& wave, const Instruction& instruction, const Operand& vectorPart,
                   const Operand& scalarPart, Space space, uint64_t (&addresses)[kLanes]) {
  uint64_t base = static_cast<uint64_t>(static_cast<int64_t>(instruction.offset));
  if (scalarPart.kind == Operand::Kind::Scalar) {
    base += scalarPart.registers == 2 ? wave.pair(scalarPart.index) : wave.sgpr[scalarPart.index];
  } else if (scalarPart.kind == Operand::Kind::Constant) {
    base += scalarPart.constant;
  }
  if (vectorPart.kind == Operand::Kind::None) {
    std::fill_n(addresses, kLanes, base);
    return;
  }
  const uint32_t* low = wave.vgpr[vectorPart.index];
  if (vectorPart.registers == 2) {
    const uint32_t* high = wave.vgpr[vectorPart.index + 1];
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      addresses[lane] = base + (low[lane] | static_cast<uint64_t>(high[lane]) << 32);
    }
  } else {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      addresses[lane] = base + low[lane];
    }
  }
  if (space == Space::Scratch) { // private offsets have 32 bits
    for (uint64_t& address : addresses) {
      address &= 0xffffffff;
    }
  }
}

Step memoryViolation(const Wave& wave, const Instruction& instruction, unsigned lane,
                     uint64_t address, bool isWrite) {
  return wave.execution->fail(wave, instruction, Fault::Kind::MemoryViolation,
                              fmt::format("lane {} {} {:#x}, which is not {}", lane,
                                          isWrite ? "writes" : "reads", address,
                                          isWrite ? "mapped or not writable" : "mapped"),
                              address, isWrite);
}

Step unalignedAtomic(const Wave& wave, const Instruction& instruction, unsigned lane,
                     uint64_t address) {
  return wave.execution->fail(
      wave, instruction, Fault::Kind::ApertureViolation,
      fmt::format("lane {} has an atomic operation at {:#x}, which is not aligned", lane, address),
      address, true);
}

} // namespace gpusim
