// Control flow, waiting, messages and hardware registers: SOPP and the like.
#include <atomic>
#include <chrono>

#include "../execution.h"
#include "../operand_access.h"
#include "families.h"

namespace gpusim {

namespace {

/// The address after the instruction; branches count from there.
uint64_t followingPc(const Wave& wave) {
  return wave.page->pcOf(wave.next);
}

Step branch(Wave& wave, const Instruction& instruction) {
  const auto distance = 4 * static_cast<int64_t>(static_cast<int16_t>(instruction.immediate()));
  return wave.execution->jump(wave, followingPc(wave) + static_cast<uint64_t>(distance));
}

template <auto Condition>
Step branchIf(Wave& wave, const Instruction& instruction) {
  return Condition(wave) ? branch(wave, instruction) : Step::Continue;
}

bool sccSet(const Wave& wave) {
  return wave.scc();
}
bool sccClear(const Wave& wave) {
  return !wave.scc();
}
bool vccZero(const Wave& wave) {
  return wave.vcc() == 0;
}
bool vccNonZero(const Wave& wave) {
  return wave.vcc() != 0;
}
bool execZero(const Wave& wave) {
  return wave.exec() == 0;
}
bool execNonZero(const Wave& wave) {
  return wave.exec() != 0;
}

Step getPc(Wave& wave, const Instruction& instruction) {
  writeScalar<uint64_t>(wave, instruction.operands[0], followingPc(wave));
  return Step::Continue;
}
Step setPc(Wave& wave, const Instruction& instruction) {
  return wave.execution->jump(wave, readScalar<uint64_t>(wave, instruction.operands[0]));
}
Step swapPc(Wave& wave, const Instruction& instruction) {
  const auto target = readScalar<uint64_t>(wave, instruction.operands[1]);
  writeScalar<uint64_t>(wave, instruction.operands[0], followingPc(wave));
  return wave.execution->jump(wave, target);
}
Step call(Wave& wave, const Instruction& instruction) {
  writeScalar<uint64_t>(wave, instruction.operands[0], followingPc(wave));
  return branch(wave, instruction);
}

Step nothing(Wave&, const Instruction&) {
  return Step::Continue;
}
Step yield(Wave&, const Instruction&) {
  return Step::Yield;
}
Step barrier(Wave&, const Instruction&) {
  return Step::Wait;
}
Step endProgram(Wave&, const Instruction&) {
  return Step::Ended;
}

/// Memory is coherent here; what remains of cache control is the order of accesses.
Step fence(Wave&, const Instruction&) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return Step::Continue;
}

Step trap(Wave& wave, const Instruction& instruction) {
  const uint64_t id = instruction.immediate() & 0xff;
  return wave.execution->fail(wave, instruction, Fault::Kind::Trap,
                              "the program trapped with ID " + std::to_string(id), id);
}

Step sendMessage(Wave& wave, const Instruction& instruction) {
  constexpr uint16_t kInterrupt = 1; // wakes the host; the machine polls signals instead
  constexpr uint16_t kMessageMask = 0xf;
  if ((instruction.immediate() & kMessageMask) != kInterrupt) {
    return wave.execution->fail(wave, instruction, Fault::Kind::Unsupported,
                                "only the interrupt message is modelled");
  }
  return Step::Continue;
}

/// Ticks of the 100 MHz counter.
uint64_t realTime() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() /
                               10);
}
Step memoryRealTime(Wave& wave, const Instruction& instruction) {
  writeScalar<uint64_t>(wave, instruction.operands[0], realTime());
  return Step::Continue;
}
Step memoryTime(Wave& wave, const Instruction& instruction) {
  constexpr uint64_t kClocksPerTick = 17; // about 1.7 GHz
  writeScalar<uint64_t>(wave, instruction.operands[0], realTime() * kClocksPerTick);
  return Step::Continue;
}

/// The operand of s_getreg and s_setreg: register, first bit, number of bits.
struct HardwareRegister {
  static constexpr unsigned kMode = 1;
  static constexpr unsigned kHardwareId = 4;
  unsigned id;
  unsigned offset;
  uint32_t mask;

  explicit HardwareRegister(uint16_t immediate)
      : id(immediate & 0x3f), offset(immediate >> 6 & 0x1f),
        mask(static_cast<uint32_t>((uint64_t{1} << ((immediate >> 11) + 1)) - 1)) {}
};

Step getRegister(Wave& wave, const Instruction& instruction) {
  const HardwareRegister field(instruction.immediate());
  if (field.id != HardwareRegister::kMode && field.id != HardwareRegister::kHardwareId) {
    return wave.execution->fail(wave, instruction, Fault::Kind::Unsupported,
                                "only the registers MODE and HW_ID are modelled");
  }
  // HW_ID: everything runs on wave slot, SIMD and compute unit 0.
  const uint32_t value = field.id == HardwareRegister::kMode ? wave.mode : 0;
  wave.sgpr[instruction.operands[0].index] = value >> field.offset & field.mask;
  return Step::Continue;
}

Step setRegister(Wave& wave, const Instruction& instruction, uint32_t value) {
  const HardwareRegister field(instruction.immediate());
  if (field.id != HardwareRegister::kMode) {
    return wave.execution->fail(wave, instruction, Fault::Kind::Unsupported,
                                "only the register MODE is modelled");
  }
  constexpr uint32_t kModelled = mode::kRound32 | mode::kRound64 | mode::kDenormal32 |
                                 mode::kDenormal64 | mode::kDx10Clamp | mode::kIeee |
                                 mode::kFp16Overflow;
  const uint32_t mask = field.mask << field.offset;
  const uint32_t changed = (wave.mode & ~mask) | (value << field.offset & mask);
  if (((changed ^ wave.mode) & ~kModelled) != 0) {
    return wave.execution->fail(wave, instruction, Fault::Kind::Unsupported,
                                "only rounding, denormal, clamp, IEEE and FP16 overflow modes are "
                                "modelled");
  }
  wave.mode = changed;
  return Step::Continue;
}
Step setRegisterScalar(Wave& wave, const Instruction& instruction) {
  // The source is encoded where scalar destinations are.
  return setRegister(wave, instruction, wave.sgpr[instruction.encoding >> 16 & 0x7f]);
}
Step setRegisterLiteral(Wave& wave, const Instruction& instruction) {
  return setRegister(wave, instruction, static_cast<uint32_t>(instruction.encoding >> 32));
}

void setIndexing(Wave& wave, uint32_t operands) {
  wave.indexedOperands = operands & 0xf;
  constexpr unsigned kM0ModeShift = 12;
  uint32_t& m0 = wave.sgpr[scalar::kM0];
  m0 = (m0 & ~(0xfu << kM0ModeShift)) | (operands & 0xf) << kM0ModeShift;
}
Step indexingOn(Wave& wave, const Instruction& instruction) {
  uint32_t& m0 = wave.sgpr[scalar::kM0];
  m0 = (m0 & ~0xffu) | (readScalar<uint32_t>(wave, instruction.operands[0]) & 0xff);
  setIndexing(wave, static_cast<uint32_t>(instruction.encoding >> 8 & 0xf));
  return Step::Continue;
}
Step indexingOff(Wave& wave, const Instruction&) {
  wave.indexedOperands = 0;
  return Step::Continue;
}
Step indexingMode(Wave& wave, const Instruction& instruction) {
  setIndexing(wave, instruction.immediate());
  return Step::Continue;
}
Step indexingIndex(Wave& wave, const Instruction& instruction) {
  uint32_t& m0 = wave.sgpr[scalar::kM0];
  m0 = (m0 & ~0xffu) | (readScalar<uint32_t>(wave, instruction.operands[0]) & 0xff);
  return Step::Continue;
}

constexpr Opcode raw(std::string_view mnemonic, Handler run) {
  return {mnemonic, run, {}, kRawText, nullptr};
}
constexpr OperandSpec kPairOut{Role::Definition, ValueType::Bits64};
constexpr OperandSpec kPairIn{Role::Use, ValueType::Bits64};
constexpr OperandSpec kWordOut{Role::Definition, ValueType::Bits32};
constexpr OperandSpec kWordIn{Role::Use, ValueType::Bits32};
constexpr OperandSpec kImmediate{Role::SignedImmediate, ValueType::Bits32};

constexpr Opcode kOpcodes[] = {
    raw("s_branch", branch),
    raw("s_cbranch_scc0", branchIf<sccClear>),
    raw("s_cbranch_scc1", branchIf<sccSet>),
    raw("s_cbranch_vccz", branchIf<vccZero>),
    raw("s_cbranch_vccnz", branchIf<vccNonZero>),
    raw("s_cbranch_execz", branchIf<execZero>),
    raw("s_cbranch_execnz", branchIf<execNonZero>),
    {"s_getpc_b64", getPc, {{kPairOut}}, 0, nullptr},
    {"s_setpc_b64", setPc, {{kPairIn}}, 0, nullptr},
    {"s_swappc_b64", swapPc, {{kPairOut, kPairIn}}, 0, nullptr},
    {"s_call_b64", call, {{kPairOut, kImmediate}}, 0, nullptr},
    raw("s_nop", nothing),
    raw("s_waitcnt", nothing),
    raw("s_waitcnt_depctr", nothing),
    raw("s_setprio", nothing),
    raw("s_inst_prefetch", nothing),
    raw("s_incperflevel", nothing),
    raw("s_decperflevel", nothing),
    raw("s_ttracedata", nothing),
    raw("s_wakeup", nothing), // sleeping waves look again by themselves
    raw("v_clrexcp", nothing), // exceptions are neither recorded nor raised
    raw("s_sleep", yield),
    raw("s_barrier", barrier),
    raw("s_endpgm", endProgram),
    raw("s_trap", trap),
    raw("s_sendmsg", sendMessage),
    raw("s_dcache_inv", fence),
    raw("s_dcache_wb", fence),
    raw("s_dcache_inv_vol", fence),
    raw("s_dcache_wb_vol", fence),
    raw("s_icache_inv", nothing),
    raw("buffer_wbinvl1", fence),
    raw("buffer_wbinvl1_vol", fence),
    raw("buffer_wbl2", fence),
    raw("buffer_invl2", fence),
    {"s_memtime", memoryTime, {{kPairOut}}, 0, nullptr},
    {"s_memrealtime", memoryRealTime, {{kPairOut}}, 0, nullptr},
    {"s_getreg_b32", getRegister, {{kWordOut, kImmediate}}, 0, nullptr},
    raw("s_setreg_b32", setRegisterScalar),
    raw("s_setreg_imm32_b32", setRegisterLiteral),
    {"s_set_gpr_idx_on", indexingOn, {{kWordIn, kImmediate}}, 0, nullptr},
    raw("s_set_gpr_idx_off", indexingOff),
    raw("s_set_gpr_idx_mode", indexingMode),
    {"s_set_gpr_idx_idx", indexingIndex, {{kWordIn}}, 0, nullptr},
};

} // namespace

Family controlFamily() {
  return kOpcodes;
}

} // namespace gpusim
