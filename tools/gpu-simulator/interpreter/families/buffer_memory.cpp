// Untyped buffer loads and stores (MUBUF), with the swizzled addressing of private memory.
#include "../lane_memory.h"
#include "../memory_format.h"
#include "../operand_access.h"
#include "buffer_addresses.h"
#include "families.h"

namespace gpusim {

namespace {

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
  const uint32_t kept = keptBits<kExtend>(wave);
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
          extendLoaded<kBytes, kExtend>(raw, wave.vgpr[destination + word][lane] & kept);
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
