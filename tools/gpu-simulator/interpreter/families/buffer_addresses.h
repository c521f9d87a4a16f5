// Addresses of untyped buffer accesses (MUBUF), with the swizzling of private memory.
#pragma once

#include <optional>

#include "../operand_access.h"

namespace gpusim {

/// The buffer resource descriptor of four scalar registers.
struct BufferResource {
  uint64_t base;
  uint32_t stride;
  uint32_t records;
  uint32_t indexShift; ///< log2 of the index stride
  bool swizzle;
  bool addLane;

  BufferResource(const Wave& wave, unsigned index)
      : base(wave.sgpr[index] | static_cast<uint64_t>(wave.sgpr[index + 1] & 0xffff) << 32),
        stride(wave.sgpr[index + 1] >> 16 & 0x3fff), records(wave.sgpr[index + 2]),
        indexShift(3 + (wave.sgpr[index + 3] >> 21 & 3)), swizzle(wave.sgpr[index + 1] >> 31 != 0),
        addLane((wave.sgpr[index + 3] >> 23 & 1) != 0) {}
};

/// Where the dwords of an instruction's lanes are. Operands: data, vector address, resource, scalar
/// offset.
class BufferAddresses {
public:
  BufferAddresses(const Wave& wave, const Instruction& instruction)
      : resource_(wave, instruction.operands[2].index),
        scalarOffset_(readScalar<uint32_t>(wave, instruction.operands[3])), lanes_(wave.lanes) {
    const uint16_t vectorPart = instruction.operands[1].index;
    const uint32_t* offsets = wave.vgpr[vectorPart + (instruction.indexEnable ? 1 : 0)];
    const uint32_t* indices = wave.vgpr[vectorPart];
    const auto fixed = static_cast<uint32_t>(instruction.offset);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      offset_[lane] = sum(fixed, instruction.offsetEnable ? offsets[lane] : 0);
      index_[lane] =
          uint64_t{resource_.addLane ? lane : 0} + (instruction.indexEnable ? indices[lane] : 0);
    }
    if (!instruction.indexEnable) {
      common_ = instruction.offsetEnable ? commonOffset(wave.exec(), offsets, fixed) : fixed;
    }
  }

  /// Addresses of dword `word` of every lane, and which lanes are inside the buffer.
  uint64_t locate(unsigned word, unsigned bytes, uint64_t (&addresses)[kLanes]) const {
    const uint64_t base = resource_.base + scalarOffset_;
    const bool checkIndex = resource_.stride != 0 && resource_.swizzle;
    uint64_t inside = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const uint64_t at = position(index_[lane], offset_[lane] + 4u * word);
      addresses[lane] = base + at;
      const bool isInside = checkIndex ? index_[lane] < resource_.records
                                       : at + bytes + scalarOffset_ <= resource_.records;
      inside |= uint64_t{isInside} << lane;
    }
    return inside;
  }

  /// Whether the bytes of an unaligned access lie in two elements of a swizzled buffer.
  bool crossesElement(unsigned lane, unsigned bytes) const {
    return resource_.swizzle && offset_[lane] % kElement + bytes > kElement;
  }

  /// The address of one byte, `offset` from the lane's first.
  uint64_t byteAddress(unsigned lane, unsigned offset) const {
    return resource_.base + scalarOffset_ + position(index_[lane], offset_[lane] + offset);
  }

  /// `words` dwords of every lane, all lanes at one offset of a fully interleaved buffer: how
  /// spilled registers and private arrays are accessed. The dwords of one number lie side by side.
  /// Empty when that is not the pattern, or not wholly inside.
  std::optional<uint64_t> rows(unsigned words) const {
    const bool interleaved = resource_.swizzle && resource_.addLane && resource_.stride == 0 &&
                             1u << resource_.indexShift == lanes_;
    if (!common_ || !interleaved || *common_ % 4 != 0) {
      return std::nullopt;
    }
    const uint64_t first = *common_ * lanes_;
    const bool inside = first + uint64_t{rowBytes()} * words + scalarOffset_ <= resource_.records;
    return inside ? std::optional(resource_.base + scalarOffset_ + first) : std::nullopt;
  }

  /// The distance of a row from the next.
  unsigned rowBytes() const { return 4 * lanes_; }

private:
  static constexpr uint32_t kElement = 4; ///< bytes that swizzling keeps together

  /// Offsets in private memory, which is swizzled, wrap at 32 bits: clang indexes arrays from their
  /// end. In other buffers a negative offset is one beyond the end.
  uint64_t sum(uint32_t fixed, uint32_t offset) const {
    return resource_.swizzle ? fixed + offset : uint64_t{fixed} + offset;
  }

  /// The offset of all active lanes, if it is one.
  std::optional<uint64_t> commonOffset(uint64_t exec, const uint32_t* offsets,
                                       uint32_t fixed) const {
    if (exec == 0) {
      return std::nullopt;
    }
    const uint32_t first = offsets[__builtin_ctzll(exec)];
    alignas(64) LaneWords active;
    expandMask(exec, active);
    uint32_t difference = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      difference |= (offsets[lane] ^ first) & active[lane];
    }
    return difference == 0 ? std::optional(sum(fixed, first)) : std::nullopt;
  }

  /// Swizzled buffers interleave the dwords of as many indices as the index stride says.
  uint64_t position(uint64_t index, uint64_t offset) const {
    if (!resource_.swizzle) {
      return index * resource_.stride + offset;
    }
    const uint64_t row = index >> resource_.indexShift;
    const uint64_t column = index - (row << resource_.indexShift);
    return ((row * resource_.stride + offset / kElement * kElement) << resource_.indexShift) +
           column * kElement + offset % kElement;
  }

  BufferResource resource_;
  uint32_t scalarOffset_;
  std::optional<uint64_t> common_; ///< the offset of all active lanes, none with an index
  unsigned lanes_;
  uint64_t offset_[kLanes];
  uint64_t index_[kLanes];
};

} // namespace gpusim
