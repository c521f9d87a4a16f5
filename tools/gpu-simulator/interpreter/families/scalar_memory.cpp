// Scalar loads and stores (SMEM).
#include <algorithm>
#include <cstring>

#include "families.h"
#include "scalar_address.h"

namespace gpusim {

namespace {

Step load(Wave& wave, const Instruction& instruction) {
  Execution& execution = *wave.execution;
  execution.countMemoryOperation();
  execution.memory().refresh();
  const Operand& destination = instruction.operands[0];
  const uint64_t bytes = 4u * destination.registers;
  const uint64_t address = scalarAddressOf(wave, instruction);
  const std::byte* source = execution.memory().at(address, bytes, false);
  if (source == nullptr) {
    return execution.fail(wave, instruction, Fault::Kind::MemoryViolation,
                          "scalar load from unmapped memory", address);
  }
  for (unsigned index = 0; index < destination.registers; ++index) {
    wave.sgpr[destination.index + index] =
        __atomic_load_n(reinterpret_cast<const uint32_t*>(source) + index, __ATOMIC_RELAXED);
  }
  return Step::Continue;
}

/// The offset is checked against the buffer's size; what lies outside reads as 0.
Step bufferLoad(Wave& wave, const Instruction& instruction) {
  Execution& execution = *wave.execution;
  execution.countMemoryOperation();
  execution.memory().refresh();
  const Operand& destination = instruction.operands[0];
  const ScalarBuffer buffer(wave, instruction);
  uint32_t result[16] = {};
  for (unsigned index = 0; index < destination.registers; ++index) {
    const std::optional<uint64_t> address = buffer.dword(index);
    if (!address) {
      continue;
    }
    const std::byte* source = execution.memory().at(*address, 4, false);
    if (source == nullptr) {
      return execution.fail(wave, instruction, Fault::Kind::MemoryViolation,
                            "scalar load from unmapped memory", *address);
    }
    std::memcpy(&result[index], source, 4);
  }
  std::copy_n(result, destination.registers, &wave.sgpr[destination.index]);
  return Step::Continue;
}

Step storeViolation(Wave& wave, const Instruction& instruction, uint64_t address) {
  return wave.execution->fail(wave, instruction, Fault::Kind::MemoryViolation,
                              "scalar store to memory that is not mapped or not writable", address,
                              true);
}

void storeDword(std::byte* target, uint32_t value) {
  __atomic_store_n(reinterpret_cast<uint32_t*>(target), value, __ATOMIC_RELAXED);
}

/// The first operand is the data.
Step store(Wave& wave, const Instruction& instruction) {
  Execution& execution = *wave.execution;
  execution.countMemoryOperation();
  execution.memory().refresh();
  const Operand& data = instruction.operands[0];
  const uint64_t address = scalarAddressOf(wave, instruction);
  std::byte* target = execution.memory().at(address, 4u * data.registers, true);
  if (target == nullptr) {
    return storeViolation(wave, instruction, address);
  }
  for (unsigned index = 0; index < data.registers; ++index) {
    storeDword(target + 4 * index, wave.sgpr[data.index + index]);
  }
  return Step::Continue;
}

/// What lies outside the buffer is dropped.
Step bufferStore(Wave& wave, const Instruction& instruction) {
  Execution& execution = *wave.execution;
  execution.countMemoryOperation();
  execution.memory().refresh();
  const Operand& data = instruction.operands[0];
  const ScalarBuffer buffer(wave, instruction);
  for (unsigned index = 0; index < data.registers; ++index) {
    const std::optional<uint64_t> address = buffer.dword(index);
    if (!address) {
      continue;
    }
    std::byte* target = execution.memory().at(*address, 4, true);
    if (target == nullptr) {
      return storeViolation(wave, instruction, *address);
    }
    storeDword(target, wave.sgpr[data.index + index]);
  }
  return Step::Continue;
}

constexpr Opcode scalarStore(std::string_view mnemonic, Handler run, ValueType base) {
  return {mnemonic,
          run,
          {{{Role::Use, ValueType::Wide}, {Role::Use, base}, {Role::Use, ValueType::Bits32}}},
          kOffset | kCacheBits,
          nullptr};
}

constexpr Opcode scalarLoad(std::string_view mnemonic, Handler run, ValueType base) {
  return {
      mnemonic,
      run,
      {{{Role::Definition, ValueType::Wide}, {Role::Use, base}, {Role::Use, ValueType::Bits32}}},
      kOffset | kCacheBits,
      nullptr};
}

constexpr Opcode kOpcodes[] = {
    scalarLoad("s_load_dword", load, ValueType::Bits64),
    scalarLoad("s_load_dwordx2", load, ValueType::Bits64),
    scalarLoad("s_load_dwordx4", load, ValueType::Bits64),
    scalarLoad("s_load_dwordx8", load, ValueType::Bits64),
    scalarLoad("s_load_dwordx16", load, ValueType::Bits64),
    scalarLoad("s_buffer_load_dword", bufferLoad, ValueType::Wide),
    scalarLoad("s_buffer_load_dwordx2", bufferLoad, ValueType::Wide),
    scalarLoad("s_buffer_load_dwordx4", bufferLoad, ValueType::Wide),
    scalarLoad("s_buffer_load_dwordx8", bufferLoad, ValueType::Wide),
    scalarLoad("s_buffer_load_dwordx16", bufferLoad, ValueType::Wide),
    scalarStore("s_store_dword", store, ValueType::Bits64),
    scalarStore("s_store_dwordx2", store, ValueType::Bits64),
    scalarStore("s_store_dwordx4", store, ValueType::Bits64),
    scalarStore("s_buffer_store_dword", bufferStore, ValueType::Wide),
    scalarStore("s_buffer_store_dwordx2", bufferStore, ValueType::Wide),
    scalarStore("s_buffer_store_dwordx4", bufferStore, ValueType::Wide),
};

} // namespace

Family scalarMemoryFamily() {
  return kOpcodes;
}

} // namespace gpusim
