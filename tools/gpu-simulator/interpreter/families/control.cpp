// Control flow, waiting, messages and caches: SOPP and the like.
#include <atomic>

#include "../execution.h"
#include "../operand_access.h"
#include "clock_ticks.h"
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
/// Code is padded with it, so that what runs over the end is noticed.
Step codeEnd(Wave& wave, const Instruction& instruction) {
  return wave.execution->fail(wave, instruction, Fault::Kind::IllegalInstruction,
                              "the wave ran over the end of the code");
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

/// The same with the messages of gfx11, one of which gives registers back before the wave ends.
Step sendMessageGfx11(Wave& wave, const Instruction& instruction) {
  constexpr uint16_t kFreeRegisters = 3;
  return instruction.immediate() == kFreeRegisters ? Step::Continue
                                                   : sendMessage(wave, instruction);
}

Step memoryRealTime(Wave& wave, const Instruction& instruction) {
  writeScalar<uint64_t>(wave, instruction.operands[0], realTime());
  return Step::Continue;
}
/// A message whose answer goes to scalar registers; its number is where a source would be.
template <class T>
Step sendMessageAndRead(Wave& wave, const Instruction& instruction) {
  constexpr uint64_t kRealTime = 0x83;
  if ((instruction.encoding & 0xff) != kRealTime) {
    return wave.execution->fail(wave, instruction, Fault::Kind::Unsupported,
                                "only the message that asks for the time is modelled");
  }
  writeScalar<T>(wave, instruction.operands[0], static_cast<T>(realTime()));
  return Step::Continue;
}
Step memoryTime(Wave& wave, const Instruction& instruction) {
  writeScalar<uint64_t>(wave, instruction.operands[0], realTime() * kClocksPerTick);
  return Step::Continue;
}

/// A loop that runs its body for the lower half of a wave of 64 lanes, then for the upper half; the
/// operand keeps the mask of the half that has to wait.
Step beginHalves(Wave& wave, const Instruction& instruction) {
  uint32_t& low = wave.sgpr[scalar::kExec];
  uint32_t& high = wave.sgpr[scalar::kExec + 1];
  if (wave.exec() == 0) {
    return branch(wave, instruction);
  }
  uint32_t& saved = wave.sgpr[instruction.operands[0].index];
  saved = low == 0 ? 0 : high;
  high = low == 0 ? high : 0;
  return Step::Continue;
}
Step endHalves(Wave& wave, const Instruction& instruction) {
  uint32_t& low = wave.sgpr[scalar::kExec];
  uint32_t& high = wave.sgpr[scalar::kExec + 1];
  uint32_t& saved = wave.sgpr[instruction.operands[0].index];
  if (high != 0) { // the upper half is done
    low = saved;
    return Step::Continue;
  }
  if (saved == 0) {
    return Step::Continue;
  }
  high = saved;
  saved = low;
  low = 0;
  return branch(wave, instruction);
}

Step waveId(Wave& wave, const Instruction& instruction) {
  writeScalar<uint32_t>(wave, instruction.operands[0], wave.idInGroup);
  return Step::Continue;
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
    raw("s_waitcnt_vscnt", nothing),
    raw("s_waitcnt_vmcnt", nothing),
    raw("s_waitcnt_expcnt", nothing),
    raw("s_waitcnt_lgkmcnt", nothing),
    raw("s_wait_idle", nothing),
    raw("s_delay_alu", nothing),
    raw("s_wait_event", nothing), // of the graphics pipeline
    raw("s_clause", nothing),     // how the following memory instructions are issued
    raw("s_wakeup", nothing),     // sleeping waves are runnable in any case
    raw("s_version", nothing),
    raw("s_setprio", nothing),
    raw("s_inst_prefetch", nothing),
    raw("s_incperflevel", nothing),
    raw("s_decperflevel", nothing),
    raw("s_ttracedata", nothing),
    raw("s_ttracedata_imm", nothing),
    raw("ds_nop", nothing),
    raw("v_clrexcp", nothing), // exceptions are neither recorded nor raised
    raw("v_pipeflush", nothing),
    raw("s_code_end", codeEnd),
    raw("s_sleep", yield),
    raw("s_barrier", barrier),
    raw("s_endpgm", endProgram),
    raw("s_trap", trap),
    raw("s_sendmsg", sendMessage),
    raw("s_sendmsg_gfx11", sendMessageGfx11),
    {"s_sendmsg_rtn_b32", sendMessageAndRead<uint32_t>, {{kWordOut, kImmediate}}, 0, nullptr},
    {"s_sendmsg_rtn_b64", sendMessageAndRead<uint64_t>, {{kPairOut, kImmediate}}, 0, nullptr},
    raw("s_dcache_inv", fence),
    raw("s_dcache_wb", fence),
    raw("s_dcache_inv_vol", fence),
    raw("s_dcache_wb_vol", fence),
    raw("s_dcache_discard", nothing), // a hint that data need not be written back
    raw("s_dcache_discard_x2", nothing),
    raw("s_icache_inv", nothing),
    raw("buffer_wbinvl1", fence),
    raw("buffer_wbinvl1_vol", fence),
    raw("buffer_wbl2", fence),
    raw("buffer_invl2", fence),
    raw("buffer_inv", fence),
    {"s_memtime", memoryTime, {{kPairOut}}, 0, nullptr},
    {"s_memrealtime", memoryRealTime, {{kPairOut}}, 0, nullptr},
    {"s_subvector_loop_begin", beginHalves, {{kWordOut, kImmediate}}, 0, nullptr},
    {"s_subvector_loop_end", endHalves, {{kWordOut, kImmediate}}, 0, nullptr},
    {"s_get_waveid_in_workgroup", waveId, {{kWordOut}}, 0, nullptr},
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
