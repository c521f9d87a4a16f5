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
        scalarOffset_(readScalar<uint32_t>(wave, instruction.operands[3])), lanes_(wave.lanes) {
    const uint16_t vectorPart = instruction.operands[1].index;
    const uint32_t* offsets = wave.vgpr[vectorPart + (instruction.indexEnable ? 1 : 0)];
    const uint32_t* indices = wave.vgpr[vectorPart];
    const auto fixed = static_cast<uint32_t>(instruction.offset);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      offset_[lane] = uint64_t{fixed} + (instruction.offsetEnable ? offsets[lane] : 0);
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

  /// The offset of all active lanes, if it is one.
  static std::optional<uint64_t> commonOffset(uint64_t exec, const uint32_t* offsets,
                                              uint32_t fixed) {
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
    return difference == 0 ? std::optional(uint64_t{fixed} + first) : std::nullopt;
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

  Resource resource_;
  uint32_t scalarOffset_;
  std::optional<uint64_t> common_; ///< the offset of all active lanes, none with an index
  unsigned lanes_;
  uint64_t offset_[kLanes];
  uint64_t index_[kLanes];
};

/// The host bytes of the rows of an access; null when lanes have to be accessed one by one.
template <unsigned kBytes>
std::byte* rowsOf(LaneMemory& memory, const BufferAddresses& buffer) {
  if constexpr (kBytes % 4 != 0) {
    return nullptr;
  }
  const std::optional<uint64_t> first = buffer.rows(kBytes / 4);
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
  if (const std::byte* rows = rowsOf<kBytes>(memory, buffer)) {
    for (unsigned word = 0; word < kWords; ++word) {
      loadRow<4, Extend::Whole>(wave, destination + word, rows + word * buffer.rowBytes(), loaded);
    }
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
  if (std::byte* rows = rowsOf<kBytes>(memory, buffer)) {
    for (unsigned word = 0; word < kWords; ++word) {
      storeRow<4, Extend::Whole>(wave, source + word, rows + word * buffer.rowBytes());
    }
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
