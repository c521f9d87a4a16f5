// Loads and stores of the FLAT encoding: flat_, global_ and scratch_.
#include "../lane_memory.h"
#include "../memory_format.h"
#include "../operand_access.h"
#include "families.h"

namespace gpusim {

namespace {

/// The host bytes of a full wave that accesses neighbouring global memory; otherwise null.
template <Space kSpace, unsigned kBytes>
std::byte* rowOf(LaneMemory& memory, const Wave& wave, const uint64_t (&addresses)[kLanes]) {
  if constexpr (kSpace != Space::Global) {
    return nullptr;
  }
  const bool full = wave.exec() == wave.laneMask;
  return full && isRow<kBytes>(addresses, wave.lanes) ? memory.row<kBytes>(addresses[0]) : nullptr;
}

template <Space kSpace, unsigned kBytes, Extend kExtend>
[[gnu::always_inline]] inline Step loadFrom(Wave& wave, const Instruction& instruction,
                                            const uint64_t (&addresses)[kLanes]) {
  constexpr unsigned kWords = (kBytes + 3) / 4;
  wave.execution->countMemoryOperation();
  LaneMemory memory(wave, false);
  LoadedWords loaded;
  const uint32_t kept = keptBits<kExtend>(wave);
  const uint16_t destination = instruction.operands[0].index;
  const uint64_t exec = wave.exec();
  if (const std::byte* row = rowOf<kSpace, kBytes>(memory, wave, addresses)) {
    loadRow<kBytes, kExtend>(wave, destination, row, loaded);
    return Step::Continue;
  }
  for (uint64_t left = exec; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctzll(left));
    uint32_t words[kWords] = {};
    const bool mapped = memory.access<kSpace, kBytes>(
        lane, addresses[lane], [&](const std::byte* host, unsigned done, auto count) {
          copyFromGuest(reinterpret_cast<std::byte*>(words) + done, host, count);
        });
    if (!mapped) {
      return memoryViolation(wave, instruction, lane, addresses[lane], false);
    }
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

template <Space kSpace, unsigned kBytes, Extend kExtend>
[[gnu::always_inline]] inline Step storeTo(Wave& wave, const Instruction& instruction,
                                           uint16_t source, const uint64_t (&addresses)[kLanes]) {
  constexpr unsigned kWords = (kBytes + 3) / 4;
  wave.execution->countMemoryOperation();
  LaneMemory memory(wave, true);
  if (std::byte* row = rowOf<kSpace, kBytes>(memory, wave, addresses)) {
    storeRow<kBytes, kExtend>(wave, source, row);
    return Step::Continue;
  }
  for (uint64_t left = wave.exec(); left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctzll(left));
    uint32_t words[kWords];
    for (unsigned word = 0; word < kWords; ++word) {
      words[word] = wave.vgpr[source + word][lane] >> (isHighHalf(kExtend) ? 16 : 0);
    }
    const bool mapped = memory.access<kSpace, kBytes>(
        lane, addresses[lane], [&](std::byte* host, unsigned done, auto count) {
          copyToGuest(host, reinterpret_cast<const std::byte*>(words) + done, count);
        });
    if (!mapped) {
      return memoryViolation(wave, instruction, lane, addresses[lane], true);
    }
  }
  return Step::Continue;
}

/// Operands: destination, vector address, and (not for flat) scalar address.
template <Space kSpace, unsigned kBytes, Extend kExtend>
Step load(Wave& wave, const Instruction& instruction) {
  uint64_t addresses[kLanes];
  laneAddresses(wave, instruction, instruction.operands[1], instruction.operands[2], kSpace,
                addresses);
  return loadFrom<kSpace, kBytes, kExtend>(wave, instruction, addresses);
}

/// Operands: vector address, data, and (not for flat) scalar address.
template <Space kSpace, unsigned kBytes, Extend kExtend>
Step store(Wave& wave, const Instruction& instruction) {
  uint64_t addresses[kLanes];
  laneAddresses(wave, instruction, instruction.operands[0], instruction.operands[2], kSpace,
                addresses);
  return storeTo<kSpace, kBytes, kExtend>(wave, instruction, instruction.operands[1].index,
                                          addresses);
}

/// A dword a lane, one after the other from the scalar address on.
void laneRow(const Wave& wave, const Instruction& instruction, uint64_t (&addresses)[kLanes]) {
  laneAddresses(wave, instruction, Operand{}, instruction.operands[1], Space::Global, addresses);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    addresses[lane] += 4 * lane;
  }
}

/// Operands: destination, scalar address.
Step loadByLane(Wave& wave, const Instruction& instruction) {
  uint64_t addresses[kLanes];
  laneRow(wave, instruction, addresses);
  return loadFrom<Space::Global, 4, Extend::Whole>(wave, instruction, addresses);
}

/// Operands: data, scalar address.
Step storeByLane(Wave& wave, const Instruction& instruction) {
  uint64_t addresses[kLanes];
  laneRow(wave, instruction, addresses);
  return storeTo<Space::Global, 4, Extend::Whole>(wave, instruction, instruction.operands[0].index,
                                                  addresses);
}

constexpr OperandSpec kOut{Role::Definition, ValueType::Wide};
constexpr OperandSpec kIn{Role::Use, ValueType::Wide};

template <Space kSpace, unsigned kBytes, Extend kExtend = Extend::Whole>
constexpr Opcode loadOpcode(std::string_view mnemonic) {
  Opcode opcode{
      mnemonic, load<kSpace, kBytes, kExtend>, {{kOut, kIn, kIn}}, kOffset | kCacheBits, nullptr};
  if constexpr (kSpace == Space::Flat) {
    opcode.operands[2] = {};
  }
  return opcode;
}

template <Space kSpace, unsigned kBytes, Extend kExtend = Extend::Whole>
constexpr Opcode storeOpcode(std::string_view mnemonic) {
  Opcode opcode{
      mnemonic, store<kSpace, kBytes, kExtend>, {{kIn, kIn, kIn}}, kOffset | kCacheBits, nullptr};
  if constexpr (kSpace == Space::Flat) {
    opcode.operands[2] = {};
  }
  return opcode;
}

constexpr Opcode kOpcodes[] = {
    loadOpcode<Space::Global, 4>("global_load_dword"),
    loadOpcode<Space::Global, 8>("global_load_dwordx2"),
    loadOpcode<Space::Global, 12>("global_load_dwordx3"),
    loadOpcode<Space::Global, 16>("global_load_dwordx4"),
    loadOpcode<Space::Global, 1, Extend::Zero>("global_load_ubyte"),
    loadOpcode<Space::Global, 1, Extend::Sign>("global_load_sbyte"),
    loadOpcode<Space::Global, 2, Extend::Zero>("global_load_ushort"),
    loadOpcode<Space::Global, 2, Extend::Sign>("global_load_sshort"),
    loadOpcode<Space::Global, 1, Extend::LowZero>("global_load_ubyte_d16"),
    loadOpcode<Space::Global, 1, Extend::HighZero>("global_load_ubyte_d16_hi"),
    loadOpcode<Space::Global, 1, Extend::LowSign>("global_load_sbyte_d16"),
    loadOpcode<Space::Global, 1, Extend::HighSign>("global_load_sbyte_d16_hi"),
    loadOpcode<Space::Global, 2, Extend::LowZero>("global_load_short_d16"),
    loadOpcode<Space::Global, 2, Extend::HighZero>("global_load_short_d16_hi"),
    storeOpcode<Space::Global, 4>("global_store_dword"),
    storeOpcode<Space::Global, 8>("global_store_dwordx2"),
    storeOpcode<Space::Global, 12>("global_store_dwordx3"),
    storeOpcode<Space::Global, 16>("global_store_dwordx4"),
    storeOpcode<Space::Global, 1>("global_store_byte"),
    storeOpcode<Space::Global, 1, Extend::HighZero>("global_store_byte_d16_hi"),
    storeOpcode<Space::Global, 2>("global_store_short"),
    storeOpcode<Space::Global, 2, Extend::HighZero>("global_store_short_d16_hi"),
    {"global_load_dword_addtid", loadByLane, {{kOut, kIn}}, kOffset | kCacheBits, nullptr},
    {"global_store_dword_addtid", storeByLane, {{kIn, kIn}}, kOffset | kCacheBits, nullptr},
    loadOpcode<Space::Flat, 4>("flat_load_dword"),
    loadOpcode<Space::Flat, 8>("flat_load_dwordx2"),
    loadOpcode<Space::Flat, 12>("flat_load_dwordx3"),
    loadOpcode<Space::Flat, 16>("flat_load_dwordx4"),
    loadOpcode<Space::Flat, 1, Extend::Zero>("flat_load_ubyte"),
    loadOpcode<Space::Flat, 1, Extend::Sign>("flat_load_sbyte"),
    loadOpcode<Space::Flat, 2, Extend::Zero>("flat_load_ushort"),
    loadOpcode<Space::Flat, 2, Extend::Sign>("flat_load_sshort"),
    loadOpcode<Space::Flat, 1, Extend::LowZero>("flat_load_ubyte_d16"),
    loadOpcode<Space::Flat, 1, Extend::HighZero>("flat_load_ubyte_d16_hi"),
    loadOpcode<Space::Flat, 1, Extend::LowSign>("flat_load_sbyte_d16"),
    loadOpcode<Space::Flat, 1, Extend::HighSign>("flat_load_sbyte_d16_hi"),
    loadOpcode<Space::Flat, 2, Extend::LowZero>("flat_load_short_d16"),
    loadOpcode<Space::Flat, 2, Extend::HighZero>("flat_load_short_d16_hi"),
    storeOpcode<Space::Flat, 4>("flat_store_dword"),
    storeOpcode<Space::Flat, 8>("flat_store_dwordx2"),
    storeOpcode<Space::Flat, 12>("flat_store_dwordx3"),
    storeOpcode<Space::Flat, 16>("flat_store_dwordx4"),
    storeOpcode<Space::Flat, 1>("flat_store_byte"),
    storeOpcode<Space::Flat, 1, Extend::HighZero>("flat_store_byte_d16_hi"),
    storeOpcode<Space::Flat, 2>("flat_store_short"),
    storeOpcode<Space::Flat, 2, Extend::HighZero>("flat_store_short_d16_hi"),
    loadOpcode<Space::Scratch, 4>("scratch_load_dword"),
    loadOpcode<Space::Scratch, 8>("scratch_load_dwordx2"),
    loadOpcode<Space::Scratch, 12>("scratch_load_dwordx3"),
    loadOpcode<Space::Scratch, 16>("scratch_load_dwordx4"),
    loadOpcode<Space::Scratch, 1, Extend::Zero>("scratch_load_ubyte"),
    loadOpcode<Space::Scratch, 1, Extend::Sign>("scratch_load_sbyte"),
    loadOpcode<Space::Scratch, 2, Extend::Zero>("scratch_load_ushort"),
    loadOpcode<Space::Scratch, 2, Extend::Sign>("scratch_load_sshort"),
    loadOpcode<Space::Scratch, 1, Extend::LowZero>("scratch_load_ubyte_d16"),
    loadOpcode<Space::Scratch, 1, Extend::HighZero>("scratch_load_ubyte_d16_hi"),
    loadOpcode<Space::Scratch, 1, Extend::LowSign>("scratch_load_sbyte_d16"),
    loadOpcode<Space::Scratch, 1, Extend::HighSign>("scratch_load_sbyte_d16_hi"),
    loadOpcode<Space::Scratch, 2, Extend::LowZero>("scratch_load_short_d16"),
    loadOpcode<Space::Scratch, 2, Extend::HighZero>("scratch_load_short_d16_hi"),
    storeOpcode<Space::Scratch, 4>("scratch_store_dword"),
    storeOpcode<Space::Scratch, 8>("scratch_store_dwordx2"),
    storeOpcode<Space::Scratch, 12>("scratch_store_dwordx3"),
    storeOpcode<Space::Scratch, 16>("scratch_store_dwordx4"),
    storeOpcode<Space::Scratch, 1>("scratch_store_byte"),
    storeOpcode<Space::Scratch, 1, Extend::HighZero>("scratch_store_byte_d16_hi"),
    storeOpcode<Space::Scratch, 2>("scratch_store_short"),
    storeOpcode<Space::Scratch, 2, Extend::HighZero>("scratch_store_short_d16_hi"),
};

} // namespace

Family globalMemoryFamily() {
  return kOpcodes;
}

} // namespace gpusim
