// Registers of the wave's hardware: s_getreg and s_setreg.
#include <optional>

#include <fmt/format.h>

#include "../execution.h"
#include "../operand_access.h"
#include "clock_ticks.h"
#include "families.h"

namespace gpusim {

namespace {

/// The operand of s_getreg and s_setreg: register, first bit, number of bits.
struct HardwareRegister {
  static constexpr unsigned kMode = 1;
  static constexpr unsigned kStatus = 2;
  static constexpr unsigned kExceptions = 3;
  static constexpr unsigned kHardwareId = 4;
  static constexpr unsigned kInstructionBuffer = 7;
  static constexpr unsigned kMemoryBases = 15;
  static constexpr unsigned kDie = 20;            // gfx942
  static constexpr unsigned kFlatScratchLow = 20; // this one and the following: RDNA
  static constexpr unsigned kFlatScratchHigh = 21;
  static constexpr unsigned kHardwareId1 = 23;
  static constexpr unsigned kHardwareId2 = 24;
  static constexpr unsigned kShaderCycles = 29;
  unsigned id;
  unsigned offset;
  uint32_t mask;

  explicit HardwareRegister(uint16_t immediate)
      : id(immediate & 0x3f), offset(immediate >> 6 & 0x1f),
        mask(static_cast<uint32_t>((uint64_t{1} << ((immediate >> 11) + 1)) - 1)) {}
};

/// What of STATUS does not depend on trap handlers, debuggers and graphics.
uint32_t statusOf(const Wave& wave) {
  constexpr uint32_t kExecZero = 1u << 9;
  constexpr uint32_t kVccZero = 1u << 10;
  constexpr uint32_t kInGroup = 1u << 11;
  constexpr uint32_t kValid = 1u << 16;
  return (wave.scc() ? 1u : 0u) | (wave.exec() == 0 ? kExecZero : 0u) |
         (wave.vcc() == 0 ? kVccZero : 0u) |
         (wave.execution->launch().wavesPerGroup > 1 ? kInGroup : 0u) | kValid;
}

/// What only RDNA has.
std::optional<uint32_t> readOfRdna(const Wave& wave, unsigned id) {
  switch (id) {
  case HardwareRegister::kFlatScratchLow:
    return wave.sgpr[scalar::kFlatScratch];
  case HardwareRegister::kFlatScratchHigh:
    return wave.sgpr[scalar::kFlatScratch + 1];
  case HardwareRegister::kHardwareId1:
  case HardwareRegister::kHardwareId2:
    return 0;
  case HardwareRegister::kShaderCycles:
    return static_cast<uint32_t>(realTime() * kClocksPerTick) & 0xfffff;
  default:
    return std::nullopt;
  }
}

/// Empty when the register is not modelled.
std::optional<uint32_t> read(const Wave& wave, unsigned id) {
  const Architecture& architecture = wave.execution->architecture();
  switch (id) {
  case HardwareRegister::kMode:
    return wave.mode;
  case HardwareRegister::kStatus:
    return statusOf(wave);
  case HardwareRegister::kExceptions:        // exceptions are not recorded
  case HardwareRegister::kHardwareId:        // everything runs on slot, SIMD and compute unit 0
  case HardwareRegister::kInstructionBuffer: // no memory operation is ever under way
    return 0;
  case HardwareRegister::kMemoryBases:
    return (wave.sgpr[scalar::kSharedBase + 1] & 0xffff0000) |
           wave.sgpr[scalar::kPrivateBase + 1] >> 16;
  default:
    break;
  }
  if (architecture.hasDies && id == HardwareRegister::kDie) {
    return 0; // all work runs on the first of the dies
  }
  return architecture.halfWaves ? readOfRdna(wave, id) : std::nullopt;
}

Step getRegister(Wave& wave, const Instruction& instruction) {
  const HardwareRegister field(instruction.immediate());
  const std::optional<uint32_t> value = read(wave, field.id);
  if (!value) {
    return wave.execution->fail(wave, instruction, Fault::Kind::Unsupported,
                                fmt::format("hardware register {} is not modelled", field.id));
  }
  wave.sgpr[instruction.operands[0].index] = *value >> field.offset & field.mask;
  return Step::Continue;
}

/// Replaces the bits of `mask`.
Step changeMode(Wave& wave, const Instruction& instruction, uint32_t mask, uint32_t value) {
  constexpr uint32_t kModelled = mode::kRound32 | mode::kRound64 | mode::kDenormal32 |
                                 mode::kDenormal64 | mode::kDx10Clamp | mode::kIeee |
                                 mode::kFp16Overflow;
  const uint32_t changed = (wave.mode & ~mask) | (value & mask);
  if (((changed ^ wave.mode) & ~kModelled) != 0) {
    return wave.execution->fail(wave, instruction, Fault::Kind::Unsupported,
                                "only rounding, denormal, clamp, IEEE and FP16 overflow modes are "
                                "modelled");
  }
  wave.mode = changed;
  return Step::Continue;
}

Step setRegister(Wave& wave, const Instruction& instruction, uint32_t value) {
  const HardwareRegister field(instruction.immediate());
  const uint32_t mask = field.mask << field.offset;
  value <<= field.offset;
  if (field.id == HardwareRegister::kMode) {
    return changeMode(wave, instruction, mask, value);
  }
  const bool isFlatScratch = field.id == HardwareRegister::kFlatScratchLow ||
                             field.id == HardwareRegister::kFlatScratchHigh;
  if (!isFlatScratch || !wave.execution->architecture().halfWaves) {
    return wave.execution->fail(wave, instruction, Fault::Kind::Unsupported,
                                fmt::format("hardware register {} cannot be written", field.id));
  }
  uint32_t& half = wave.sgpr[scalar::kFlatScratch + field.id - HardwareRegister::kFlatScratchLow];
  half = (half & ~mask) | (value & mask);
  return Step::Continue;
}
Step setRegisterScalar(Wave& wave, const Instruction& instruction) {
  return setRegister(wave, instruction, readScalar<uint32_t>(wave, instruction.operands[1]));
}
Step setRegisterLiteral(Wave& wave, const Instruction& instruction) {
  return setRegister(wave, instruction, static_cast<uint32_t>(instruction.encoding >> 32));
}

Step setRounding(Wave& wave, const Instruction& instruction) {
  return changeMode(wave, instruction, mode::kRound32 | mode::kRound64, instruction.immediate());
}
Step setDenormals(Wave& wave, const Instruction& instruction) {
  constexpr unsigned kShift = 4;
  return changeMode(wave, instruction, mode::kDenormal32 | mode::kDenormal64,
                    static_cast<uint32_t>(instruction.immediate()) << kShift);
}

constexpr OperandSpec kWordOut{Role::Definition, ValueType::Bits32};
constexpr OperandSpec kWordIn{Role::Use, ValueType::Bits32};
constexpr OperandSpec kImmediate{Role::SignedImmediate, ValueType::Bits32};

constexpr Opcode kOpcodes[] = {
    {"s_getreg_b32", getRegister, {{kWordOut, kImmediate}}, 0, nullptr},
    {"s_setreg_b32", setRegisterScalar, {{kImmediate, kWordIn}}, 0, nullptr},
    {"s_setreg_imm32_b32", setRegisterLiteral, {}, kRawText, nullptr},
    {"s_round_mode", setRounding, {}, kRawText, nullptr},
    {"s_denorm_mode", setDenormals, {}, kRawText, nullptr},
};

} // namespace

Family hardwareRegisterFamily() {
  return kOpcodes;
}

} // namespace gpusim
