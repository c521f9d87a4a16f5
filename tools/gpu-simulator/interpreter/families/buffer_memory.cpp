// Untyped buffer loads and stores (MUBUF), with the swizzled addressing of private memory.
#include <optional>

#include "../lane_memory.h"
#include "../memory_format.h"
#include "../operand_access.h"
#include "families.h"

namespace gpusim {

namespace {

/// The buffer resource descriptor of four scalar registers.
struct Resource {
  uint64_t base;
  uint32_t stride;
  uint32_t records;
  uint32_t indexShift; ///< log2 of the index stride
  bool swizzle;
  bool addLane;

  Resource(const Wave& wave, unsigned index)
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
        scalarOffset_(readScalar<uint32_t>(wave, instruction.operands[3])),
        uniform_(!instruction.offsetEnable && !instruction.indexEnable), lanes_(wave.lanes) {
    const uint16_t vectorPart = instruction.operands[1].index;
    const uint32_t* offsets = wave.vgpr[vectorPart + (instruction.indexEnable ? 1 : 0)];
    const uint32_t* indices = wave.vgpr[vectorPart];
    const auto fixed = static_cast<uint32_t>(instruction.offset);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      offset_[lane] = uint64_t{fixed} + (instruction.offsetEnable ? offsets[lane] : 0);
      index_[lane] =
          uint64_t{resource_.addLane ? lane : 0} + (instruction.indexEnable ? indices[lane] : 0);
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

  /// A dword per lane at one offset of a fully interleaved buffer: how spilled registers are
  /// accessed. Empty when that is not the pattern, or not wholly inside.
  std::optional<uint64_t> row() const {
    const bool interleaved = resource_.swizzle && resource_.addLane && resource_.stride == 0 &&
                             1u << resource_.indexShift == lanes_;
    const uint64_t first = offset_[0] * lanes_;
    const bool inside = first + 4u * lanes_ + scalarOffset_ <= resource_.records;
    if (!uniform_ || !interleaved || offset_[0] % 4 != 0 || !inside) {
      return std::nullopt;
    }
    return resource_.base + scalarOffset_ + first;
  }

private:
  static constexpr uint32_t kElement = 4; ///< bytes that swizzling keeps together

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

  Resource resource_;
  uint32_t scalarOffset_;
  bool uniform_; ///< no lane has an offset or index of its own
  unsigned lanes_;
  uint64_t offset_[kLanes];
  uint64_t index_[kLanes];
};

/// The host bytes of a row; null when lanes have to be accessed one by one.
template <unsigned kBytes>
std::byte* rowOf(LaneMemory& memory, const BufferAddresses& buffer) {
  if constexpr (kBytes != 4) {
    return nullptr;
  }
  const std::optional<uint64_t> first = buffer.row();
  return first ? memory.row<kBytes>(*first) : nullptr;
}

/// Calls `copy` for the host bytes of dword `word` of a lane (or of the part of it that `kPiece`
/// says), byte by byte where swizzling separates them. False: not accessible.
template <unsigned kPiece, class Copy>
bool accessPiece(LaneMemory& memory, const BufferAddresses& buffer, unsigned lane, unsigned word,
                 uint64_t address, Copy&& copy) {
  if (!buffer.crossesElement(lane, kPiece)) [[likely]] {
    return memory.accessGlobal<kPiece>(address, copy);
  }
  for (unsigned byte = 0; byte < kPiece; ++byte) {
    const auto copyByte = [&](std::byte* host, unsigned, auto count) { copy(host, byte, count); };
    if (!memory.accessGlobal<1>(buffer.byteAddress(lane, 4 * word + byte), copyByte)) {
      return false;
    }
  }
  return true;
}

/// What lies outside the buffer reads as 0.
template <unsigned kBytes, Extend kExtend>
Step load(Wave& wave, const Instruction& instruction) {
  constexpr unsigned kWords = (kBytes + 3) / 4;
  constexpr unsigned kPiece = kBytes < 4 ? kBytes : 4;
  wave.execution->countMemoryOperation();
  const BufferAddresses buffer(wave, instruction);
  LaneMemory memory(wave, false);
  LoadedWords loaded;
  const uint16_t destination = instruction.operands[0].index;
  const uint64_t exec = wave.exec();
  if (const std::byte* row = rowOf<kBytes>(memory, buffer)) {
    loadRow<kBytes, kExtend>(wave, destination, row, loaded);
    return Step::Continue;
  }
  for (unsigned word = 0; word < kWords; ++word) {
    uint64_t addresses[kLanes];
    const uint64_t inside = buffer.locate(word, kPiece, addresses);
    for (uint64_t left = exec; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctzll(left));
      uint32_t raw = 0;
      const auto copy = [&](const std::byte* host, unsigned done, auto count) {
        copyFromGuest(reinterpret_cast<std::byte*>(&raw) + done, host, count);
      };
      if ((inside >> lane & 1) != 0 &&
          !accessPiece<kPiece>(memory, buffer, lane, word, addresses[lane], copy)) {
        return memoryViolation(wave, instruction, lane, addresses[lane], false);
      }
      loaded.word[word][lane] =
          extendLoaded<kBytes, kExtend>(raw, wave.vgpr[destination + word][lane]);
    }
  }
  for (unsigned word = 0; word < kWords; ++word) {
    writeRegister(wave, destination + word, loaded.word[word], exec);
  }
  return Step::Continue;
}

/// Stores outside the buffer are dropped.
template <unsigned kBytes, Extend kExtend>
Step store(Wave& wave, const Instruction& instruction) {
  constexpr unsigned kWords = (kBytes + 3) / 4;
  constexpr unsigned kPiece = kBytes < 4 ? kBytes : 4;
  wave.execution->countMemoryOperation();
  const BufferAddresses buffer(wave, instruction);
  LaneMemory memory(wave, true);
  const uint16_t source = instruction.operands[0].index;
  if (std::byte* row = rowOf<kBytes>(memory, buffer)) {
    storeRow<kBytes, kExtend>(wave, source, row);
    return Step::Continue;
  }
  for (unsigned word = 0; word < kWords; ++word) {
    uint64_t addresses[kLanes];
    const uint64_t inside = buffer.locate(word, kPiece, addresses);
    for (uint64_t left = wave.exec() & inside; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctzll(left));
      const uint32_t value = wave.vgpr[source + word][lane] >> (isHighHalf(kExtend) ? 16 : 0);
      const auto copy = [&](std::byte* host, unsigned done, auto count) {
        copyToGuest(host, reinterpret_cast<const std::byte*>(&value) + done, count);
      };
      if (!accessPiece<kPiece>(memory, buffer, lane, word, addresses[lane], copy)) {
        return memoryViolation(wave, instruction, lane, addresses[lane], true);
      }
    }
  }
  return Step::Continue;
}

constexpr OperandSpec kWideOut{Role::Definition, ValueType::Wide};
constexpr OperandSpec kWideIn{Role::Use, ValueType::Wide};
constexpr OperandSpec kWordIn{Role::Use, ValueType::Bits32};
constexpr uint32_t kBufferModifiers = kOffset | kCacheBits | kOffsetEnable | kIndexEnable;

template <unsigned kBytes, Extend kExtend = Extend::Whole>
constexpr Opcode loadOpcode(std::string_view mnemonic) {
  return {mnemonic,
          load<kBytes, kExtend>,
          {{kWideOut, kWideIn, kWideIn, kWordIn}},
          kBufferModifiers,
          nullptr};
}
template <unsigned kBytes, Extend kExtend = Extend::Whole>
constexpr Opcode storeOpcode(std::string_view mnemonic) {
  return {mnemonic,
          store<kBytes, kExtend>,
          {{kWideIn, kWideIn, kWideIn, kWordIn}},
          kBufferModifiers,
          nullptr};
}

constexpr Opcode kOpcodes[] = {
    loadOpcode<4>("buffer_load_dword"),
    loadOpcode<8>("buffer_load_dwordx2"),
    loadOpcode<12>("buffer_load_dwordx3"),
    loadOpcode<16>("buffer_load_dwordx4"),
    loadOpcode<1, Extend::Zero>("buffer_load_ubyte"),
    loadOpcode<1, Extend::Sign>("buffer_load_sbyte"),
    loadOpcode<2, Extend::Zero>("buffer_load_ushort"),
    loadOpcode<2, Extend::Sign>("buffer_load_sshort"),
    loadOpcode<1, Extend::LowZero>("buffer_load_ubyte_d16"),
    loadOpcode<1, Extend::HighZero>("buffer_load_ubyte_d16_hi"),
    loadOpcode<1, Extend::LowSign>("buffer_load_sbyte_d16"),
    loadOpcode<1, Extend::HighSign>("buffer_load_sbyte_d16_hi"),
    loadOpcode<2, Extend::LowZero>("buffer_load_short_d16"),
    loadOpcode<2, Extend::HighZero>("buffer_load_short_d16_hi"),
    storeOpcode<4>("buffer_store_dword"),
    storeOpcode<8>("buffer_store_dwordx2"),
    storeOpcode<12>("buffer_store_dwordx3"),
    storeOpcode<16>("buffer_store_dwordx4"),
    storeOpcode<1>("buffer_store_byte"),
    storeOpcode<1, Extend::HighZero>("buffer_store_byte_d16_hi"),
    storeOpcode<2>("buffer_store_short"),
    storeOpcode<2, Extend::HighZero>("buffer_store_short_d16_hi"),
};

} // namespace

Family bufferMemoryFamily() {
  return kOpcodes;
}

} // namespace gpusim
