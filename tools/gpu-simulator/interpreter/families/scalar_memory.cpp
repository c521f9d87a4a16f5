// Scalar loads and stores (SMEM).
#include <algorithm>
#include <cstring>

#include "../execution.h"
#include "../operand_access.h"
#include "families.h"

namespace gpusim {

namespace {

/// Offset: a scalar register, an immediate, or a register and an immediate.
uint64_t offsetOf(const Wave& wave, const Instruction& instruction) {
  const Operand& offset = instruction.operands[2];
  const uint64_t value = offset.kind == Operand::Kind::Constant
                             ? static_cast<uint64_t>(static_cast<int64_t>(
                                   static_cast<int32_t>(static_cast<uint32_t>(offset.constant))))
                             : wave.sgpr[offset.index];
  return value + static_cast<uint64_t>(static_cast<int64_t>(instruction.offset));
}

Step load(Wave& wave, const Instruction& instruction) {
  Execution& execution = *wave.execution;
  execution.countMemoryOperation();
  execution.memory().refresh();
  const Operand& destination = instruction.operands[0];
  const uint64_t bytes = 4u * destination.registers;
  const uint64_t address =
      (wave.pair(instruction.operands[1].index) + offsetOf(wave, instruction)) & ~uint64_t{3};
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
  const uint32_t* descriptor = &wave.sgpr[instruction.operands[1].index];
  const uint64_t base = descriptor[0] | static_cast<uint64_t>(descriptor[1] & 0xffff) << 32;
  const uint64_t stride = descriptor[1] >> 16 & 0x3fff;
  const uint64_t size = stride == 0 ? descriptor[2] : stride * descriptor[2];
  const uint64_t offset = offsetOf(wave, instruction) & ~uint64_t{3};
  uint32_t result[16] = {};
  for (unsigned index = 0; index < destination.registers; ++index) {
    const uint64_t position = offset + 4u * index;
    if (position + 4 > size) {
      continue;
    }
    const std::byte* source = execution.memory().at(base + position, 4, false);
    if (source == nullptr) {
      return execution.fail(wave, instruction, Fault::Kind::MemoryViolation,
                            "scalar load from unmapped memory", base + position);
    }
    std::memcpy(&result[index], source, 4);
  }
  std::copy_n(result, destination.registers, &wave.sgpr[destination.index]);
  return Step::Continue;
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
};

} // namespace

Family scalarMemoryFamily() {
  return kOpcodes;
}

} // namespace gpusim
