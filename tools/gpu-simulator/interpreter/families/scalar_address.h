// Addresses of scalar memory instructions: plain, and in buffers.
#pragma once

#include <optional>

#include "../execution.h"
#include "../operand_access.h"

namespace gpusim {

/// The third operand (a scalar register or an immediate) and the `offset:` modifier, together.
inline uint64_t scalarOffsetOf(const Wave& wave, const Instruction& instruction) {
  const Operand& offset = instruction.operands[2];
  const uint64_t value = offset.kind == Operand::Kind::Constant
                             ? static_cast<uint64_t>(static_cast<int64_t>(
                                   static_cast<int32_t>(static_cast<uint32_t>(offset.constant))))
                             : wave.sgpr[offset.index];
  return value + static_cast<uint64_t>(static_cast<int64_t>(instruction.offset));
}

/// Byte address in plain memory; the lowest two bits do not count. The second operand is the base.
inline uint64_t scalarAddressOf(const Wave& wave, const Instruction& instruction) {
  return (wave.pair(instruction.operands[1].index) + scalarOffsetOf(wave, instruction)) &
         ~uint64_t{3};
}

/// A buffer whose descriptor is the second operand.
class ScalarBuffer {
public:
  ScalarBuffer(const Wave& wave, const Instruction& instruction)
      : offset_(scalarOffsetOf(wave, instruction) & ~uint64_t{3}) {
    const uint32_t* descriptor = &wave.sgpr[instruction.operands[1].index];
    base_ = descriptor[0] | static_cast<uint64_t>(descriptor[1] & 0xffff) << 32;
    const uint64_t stride = descriptor[1] >> 16 & 0x3fff;
    size_ = stride == 0 ? descriptor[2] : stride * descriptor[2];
  }

  /// The address of dword `index` of the access; empty when it lies outside the buffer.
  std::optional<uint64_t> dword(unsigned index) const {
    const uint64_t position = offset_ + 4u * index;
    return position + 4 > size_ ? std::nullopt : std::optional(base_ + position);
  }

private:
  uint64_t offset_;
  uint64_t base_;
  uint64_t size_;
};

} // namespace gpusim
