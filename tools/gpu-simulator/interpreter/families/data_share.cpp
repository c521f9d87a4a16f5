// Loads and stores of the local data share (DS).
#include "../local_memory.h"
#include "../memory_format.h"
#include "../operand_access.h"
#include "families.h"

namespace gpusim {

namespace {

/// Operands: destination, address.
template <unsigned kBytes, Extend kExtend>
Step load(Wave& wave, const Instruction& instruction) {
  constexpr unsigned kWords = (kBytes + 3) / 4;
  wave.execution->countMemoryOperation();
  LocalMemory local(wave);
  LoadedWords loaded;
  const uint32_t kept = keptBits<kExtend>(wave);
  const uint32_t* base = wave.vgpr[instruction.operands[1].index];
  const uint16_t destination = instruction.operands[0].index;
  const uint64_t exec = wave.exec();
  for (uint64_t left = exec; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctzll(left));
    const uint32_t address = base[lane] + static_cast<uint32_t>(instruction.offset);
    const std::byte* source = local.at(address, kBytes);
    if (source == nullptr) {
      return local.violation(wave, instruction, lane, address, false);
    }
    uint32_t words[kWords] = {};
    std::memcpy(words, source, kBytes);
    for (unsigned word = 0; word < kWords; ++word) {
      loaded.word[word][lane] =
          extendLoaded<kBytes, kExtend>(words[word], wave.vgpr[destination + word][lane] & kept);
    }
  }
  for (unsigned word = 0; word < kWords; ++word) {
    writeRegister(wave, destination + word, loaded.word[word], exec);
  }
  return Step::Continue;
}

/// Operands: address, data.
template <unsigned kBytes, Extend kExtend>
Step store(Wave& wave, const Instruction& instruction) {
  constexpr unsigned kWords = (kBytes + 3) / 4;
  wave.execution->countMemoryOperation();
  LocalMemory local(wave);
  const uint32_t* base = wave.vgpr[instruction.operands[0].index];
  const uint16_t source = instruction.operands[1].index;
  for (uint64_t left = wave.exec(); left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctzll(left));
    const uint32_t address = base[lane] + static_cast<uint32_t>(instruction.offset);
    std::byte* destination = local.at(address, kBytes);
    if (destination == nullptr) {
      return local.violation(wave, instruction, lane, address, true);
    }
    uint32_t words[kWords];
    for (unsigned word = 0; word < kWords; ++word) {
      words[word] = wave.vgpr[source + word][lane] >> (isHighHalf(kExtend) ? 16 : 0);
    }
    std::memcpy(destination, words, kBytes);
  }
  return Step::Continue;
}

/// Two elements of `kBytes` whose offsets count in units of `kUnit` bytes. Operands: destination,
/// address.
template <unsigned kBytes, unsigned kUnit>
Step loadPair(Wave& wave, const Instruction& instruction) {
  constexpr unsigned kWords = kBytes / 4;
  wave.execution->countMemoryOperation();
  LocalMemory local(wave);
  LoadedWords loaded;
  const uint32_t* base = wave.vgpr[instruction.operands[1].index];
  const uint32_t offsets[2] = {instruction.offset0 * kUnit, instruction.offset1 * kUnit};
  const uint64_t exec = wave.exec();
  for (uint64_t left = exec; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctzll(left));
    for (unsigned element = 0; element < 2; ++element) {
      const uint32_t address = base[lane] + offsets[element];
      const std::byte* source = local.at(address, kBytes);
      if (source == nullptr) {
        return local.violation(wave, instruction, lane, address, false);
      }
      for (unsigned word = 0; word < kWords; ++word) {
        std::memcpy(&loaded.word[element * kWords + word][lane], source + 4 * word, 4);
      }
    }
  }
  for (unsigned word = 0; word < 2 * kWords; ++word) {
    writeRegister(wave, instruction.operands[0].index + word, loaded.word[word], exec);
  }
  return Step::Continue;
}

/// Operands: address, first data, second data.
template <unsigned kBytes, unsigned kUnit>
Step storePair(Wave& wave, const Instruction& instruction) {
  constexpr unsigned kWords = kBytes / 4;
  wave.execution->countMemoryOperation();
  LocalMemory local(wave);
  const uint32_t* base = wave.vgpr[instruction.operands[0].index];
  const uint32_t offsets[2] = {instruction.offset0 * kUnit, instruction.offset1 * kUnit};
  for (uint64_t left = wave.exec(); left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctzll(left));
    for (unsigned element = 0; element < 2; ++element) {
      const uint32_t address = base[lane] + offsets[element];
      std::byte* destination = local.at(address, kBytes);
      if (destination == nullptr) {
        return local.violation(wave, instruction, lane, address, true);
      }
      const uint16_t source = instruction.operands[1 + element].index;
      for (unsigned word = 0; word < kWords; ++word) {
        std::memcpy(destination + 4 * word, &wave.vgpr[source + word][lane], 4);
      }
    }
  }
  return Step::Continue;
}

/// Where lane 0 of an access without address register is; lanes follow each other.
uint32_t laneRowAddress(const Wave& wave, const Instruction& instruction) {
  return (wave.sgpr[scalar::kM0] & 0xffff) + static_cast<uint32_t>(instruction.offset);
}

/// A dword a lane, one after the other. Operand: destination.
Step loadByLane(Wave& wave, const Instruction& instruction) {
  wave.execution->countMemoryOperation();
  LocalMemory local(wave);
  LaneBuffer<uint32_t> loaded;
  for (uint64_t left = wave.exec(); left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctzll(left));
    const uint32_t address = laneRowAddress(wave, instruction) + 4 * lane;
    const std::byte* source = local.at(address, 4);
    if (source == nullptr) {
      return local.violation(wave, instruction, lane, address, false);
    }
    std::memcpy(&loaded.value[lane], source, 4);
  }
  writeLanes<uint32_t>(wave, instruction.operands[0], loaded);
  return Step::Continue;
}

/// Operand: data.
Step storeByLane(Wave& wave, const Instruction& instruction) {
  wave.execution->countMemoryOperation();
  LocalMemory local(wave);
  for (uint64_t left = wave.exec(); left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctzll(left));
    const uint32_t address = laneRowAddress(wave, instruction) + 4 * lane;
    std::byte* destination = local.at(address, 4);
    if (destination == nullptr) {
      return local.violation(wave, instruction, lane, address, true);
    }
    std::memcpy(destination, &wave.vgpr[instruction.operands[0].index][lane], 4);
  }
  return Step::Continue;
}

constexpr OperandSpec kOut{Role::Definition, ValueType::Wide};
constexpr OperandSpec kIn{Role::Use, ValueType::Wide};

template <unsigned kBytes, Extend kExtend = Extend::Whole>
constexpr Opcode loadOpcode(std::string_view mnemonic) {
  return {mnemonic, load<kBytes, kExtend>, {{kOut, kIn}}, kOffset, nullptr};
}
template <unsigned kBytes, Extend kExtend = Extend::Whole>
constexpr Opcode storeOpcode(std::string_view mnemonic) {
  return {mnemonic, store<kBytes, kExtend>, {{kIn, kIn}}, kOffset, nullptr};
}
template <unsigned kBytes, unsigned kUnit>
constexpr Opcode loadPairOpcode(std::string_view mnemonic) {
  return {mnemonic, loadPair<kBytes, kUnit>, {{kOut, kIn}}, kOffsetPair, nullptr};
}
template <unsigned kBytes, unsigned kUnit>
constexpr Opcode storePairOpcode(std::string_view mnemonic) {
  return {mnemonic, storePair<kBytes, kUnit>, {{kIn, kIn, kIn}}, kOffsetPair, nullptr};
}

constexpr Opcode kOpcodes[] = {
    loadOpcode<4>("ds_read_b32"),
    loadOpcode<8>("ds_read_b64"),
    loadOpcode<12>("ds_read_b96"),
    loadOpcode<16>("ds_read_b128"),
    loadOpcode<1, Extend::Zero>("ds_read_u8"),
    loadOpcode<1, Extend::Sign>("ds_read_i8"),
    loadOpcode<2, Extend::Zero>("ds_read_u16"),
    loadOpcode<2, Extend::Sign>("ds_read_i16"),
    loadOpcode<1, Extend::LowZero>("ds_read_u8_d16"),
    loadOpcode<1, Extend::HighZero>("ds_read_u8_d16_hi"),
    loadOpcode<1, Extend::LowSign>("ds_read_i8_d16"),
    loadOpcode<1, Extend::HighSign>("ds_read_i8_d16_hi"),
    loadOpcode<2, Extend::LowZero>("ds_read_u16_d16"),
    loadOpcode<2, Extend::HighZero>("ds_read_u16_d16_hi"),
    storeOpcode<4>("ds_write_b32"),
    storeOpcode<8>("ds_write_b64"),
    storeOpcode<12>("ds_write_b96"),
    storeOpcode<16>("ds_write_b128"),
    storeOpcode<1>("ds_write_b8"),
    storeOpcode<1, Extend::HighZero>("ds_write_b8_d16_hi"),
    storeOpcode<2>("ds_write_b16"),
    storeOpcode<2, Extend::HighZero>("ds_write_b16_d16_hi"),
    loadPairOpcode<4, 4>("ds_read2_b32"),
    loadPairOpcode<4, 256>("ds_read2st64_b32"),
    loadPairOpcode<8, 8>("ds_read2_b64"),
    loadPairOpcode<8, 512>("ds_read2st64_b64"),
    storePairOpcode<4, 4>("ds_write2_b32"),
    storePairOpcode<4, 256>("ds_write2st64_b32"),
    storePairOpcode<8, 8>("ds_write2_b64"),
    storePairOpcode<8, 512>("ds_write2st64_b64"),
    {"ds_read_addtid_b32", loadByLane, {{kOut}}, kOffset, nullptr},
    {"ds_write_addtid_b32", storeByLane, {{kIn}}, kOffset, nullptr},
};

} // namespace

Family dataShareFamily() {
  return kOpcodes;
}

} // namespace gpusim
