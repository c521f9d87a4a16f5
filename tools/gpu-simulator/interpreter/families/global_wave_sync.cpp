// Barriers of whole dispatches (global wave sync): how grids of a cooperative launch synchronise.
#include "../execution.h"
#include "../lanes.h"
#include "families.h"

namespace gpusim {

namespace {

/// The resource an instruction names: M0[21:16] plus its offset.
unsigned resourceOf(const Wave& wave, const Instruction& instruction) {
  const uint32_t base = wave.sgpr[scalar::kM0] >> 16 & 0x3f;
  return (base + static_cast<uint32_t>(instruction.offset)) % GlobalWaveSync::kResources;
}

/// The first active lane's value: how many waves arrive besides the last one.
uint32_t othersOf(const Wave& wave, const Instruction& instruction) {
  const uint64_t exec = wave.exec();
  const unsigned lane = exec == 0 ? 0 : static_cast<unsigned>(__builtin_ctzll(exec));
  return wave.vgpr[instruction.operands[0].index][lane];
}

Step refuse(Wave& wave, const Instruction& instruction) {
  return wave.execution->fail(wave, instruction, Fault::Kind::Unsupported,
                              "the queue has no global wave sync");
}

Step initialize(Wave& wave, const Instruction& instruction) {
  GlobalWaveSync* sync = wave.execution->dispatch().waveSync;
  if (sync == nullptr) {
    return refuse(wave, instruction);
  }
  sync->missing[resourceOf(wave, instruction)] = othersOf(wave, instruction);
  return Step::Continue;
}

/// The last wave opens the barrier and sets it up for the next time.
Step arrive(Wave& wave, const Instruction& instruction) {
  GlobalWaveSync* sync = wave.execution->dispatch().waveSync;
  if (sync == nullptr) {
    return refuse(wave, instruction);
  }
  const unsigned resource = resourceOf(wave, instruction);
  uint32_t& missing = sync->missing[resource];
  if (missing == 0) {
    missing = othersOf(wave, instruction);
    wave.execution->releaseAll(resource);
    return Step::Continue;
  }
  --missing;
  wave.syncResource = static_cast<uint8_t>(resource);
  return Step::WaitAll;
}

constexpr OperandSpec kIn{Role::Use, ValueType::Bits32};

constexpr Opcode kOpcodes[] = {
    {"ds_gws_init", initialize, {{kIn}}, kOffset | kGlobalDataShare, nullptr},
    {"ds_gws_barrier", arrive, {{kIn}}, kOffset | kGlobalDataShare, nullptr},
};

} // namespace

Family globalWaveSyncFamily() {
  return kOpcodes;
}

} // namespace gpusim
