// Untyped buffer loads and stores (MUBUF), with the swizzled addressing of private memory.
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

/// Addresses of an instruction's lanes. Operands: data, vector address, resource, scalar offset.
class BufferAddresses {
public:
  BufferAddresses(const Wave& wave, const Instruction& instruction)
      : wave_(wave), instruction_(instruction), resource_(wave, instruction.operands[2].index),
        scalarOffset_(readScalar<uint32_t>(wave, instruction.operands[3])) {}

  /// Where dword `word` of the lane's data is; false when it is out of the buffer's range.
  bool locate(unsigned lane, unsigned word, unsigned bytes, uint64_t& address) const {
    const uint64_t index = (resource_.addLane ? lane : 0) + lanePart(lane, true);
    const uint64_t offset =
        static_cast<uint32_t>(instruction_.offset) + uint64_t{lanePart(lane, false)} + 4u * word;
    uint64_t position = index * resource_.stride + offset;
    if (resource_.swizzle) {
      constexpr uint32_t kElement = 4;
      const uint64_t row = index >> resource_.indexShift;
      const uint64_t column = index - (row << resource_.indexShift);
      position = ((row * resource_.stride + offset / kElement * kElement) << resource_.indexShift) +
                 column * kElement + offset % kElement;
    }
    address = resource_.base + scalarOffset_ + position;
    if (resource_.stride != 0 && resource_.swizzle) {
      return index < resource_.records;
    }
    return position + bytes + scalarOffset_ <= resource_.records;
  }

private:
  /// The lane's index or offset. With both, the index comes first.
  uint32_t lanePart(unsigned lane, bool index) const {
    const bool enabled = index ? instruction_.indexEnable : instruction_.offsetEnable;
    if (!enabled) {
      return 0;
    }
    const unsigned second = !index && instruction_.indexEnable ? 1 : 0;
    return wave_.vgpr[instruction_.operands[1].index + second][lane];
  }

  const Wave& wave_;
  const Instruction& instruction_;
  Resource resource_;
  uint32_t scalarOffset_;
};

/// What lies outside the buffer reads as 0.
template <unsigned kBytes, Extend kExtend>
Step load(Wave& wave, const Instruction& instruction) {
  constexpr unsigned kWords = (kBytes + 3) / 4;
  constexpr unsigned kPiece = kBytes < 4 ? kBytes : 4;
  wave.execution->countMemoryOperation();
  const BufferAddresses addresses(wave, instruction);
  LaneMemory memory(wave, false);
  LoadedWords loaded;
  const uint16_t destination = instruction.operands[0].index;
  const uint64_t exec = wave.exec();
  for (uint64_t left = exec; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctzll(left));
    for (unsigned word = 0; word < kWords; ++word) {
      uint32_t raw = 0;
      uint64_t address = 0;
      const auto copy = [&](const std::byte* host, unsigned done, auto count) {
        copyFromGuest(reinterpret_cast<std::byte*>(&raw) + done, host, count);
      };
      if (addresses.locate(lane, word, kPiece, address) &&
          !memory.accessGlobal<kPiece>(address, copy)) {
        return memoryViolation(wave, instruction, lane, address, false);
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
  const BufferAddresses addresses(wave, instruction);
  LaneMemory memory(wave, true);
  const uint16_t source = instruction.operands[0].index;
  for (uint64_t left = wave.exec(); left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctzll(left));
    for (unsigned word = 0; word < kWords; ++word) {
      const uint32_t value = wave.vgpr[source + word][lane] >> (isHighHalf(kExtend) ? 16 : 0);
      uint64_t address = 0;
      const auto copy = [&](std::byte* host, unsigned done, auto count) {
        copyToGuest(host, reinterpret_cast<const std::byte*>(&value) + done, count);
      };
      if (addresses.locate(lane, word, kPiece, address) &&
          !memory.accessGlobal<kPiece>(address, copy)) {
        return memoryViolation(wave, instruction, lane, address, true);
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
