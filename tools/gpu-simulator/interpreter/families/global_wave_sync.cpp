// Barriers and semaphores of whole dispatches (global wave sync): how grids of a cooperative launch
// synchronise.
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

/// Lets all waves that wait for the resource look again.
Step release(Wave& wave, const Instruction& instruction, uint32_t permits) {
  GlobalWaveSync* sync = wave.execution->dispatch().waveSync;
  if (sync == nullptr) {
    return refuse(wave, instruction);
  }
  const unsigned resource = resourceOf(wave, instruction);
  sync->permits[resource] += permits;
  wave.execution->releaseAll(resource);
  return Step::Continue;
}
Step releaseOne(Wave& wave, const Instruction& instruction) {
  return release(wave, instruction, 1);
}
Step releaseMany(Wave& wave, const Instruction& instruction) {
  return release(wave, instruction, othersOf(wave, instruction));
}

/// As many permits as there are waves without one.
Step releaseWaiting(Wave& wave, const Instruction& instruction) {
  return release(wave, instruction, wave.execution->waitingFor(resourceOf(wave, instruction)));
}

/// A wave without permit executes the instruction again once somebody gave some.
Step acquire(Wave& wave, const Instruction& instruction) {
  GlobalWaveSync* sync = wave.execution->dispatch().waveSync;
  if (sync == nullptr) {
    return refuse(wave, instruction);
  }
  const unsigned resource = resourceOf(wave, instruction);
  uint32_t& permits = sync->permits[resource];
  if (permits != 0) {
    --permits;
    return Step::Continue;
  }
  wave.next -= instruction.dwords;
  wave.syncResource = static_cast<uint8_t>(resource);
  return Step::WaitAll;
}

constexpr OperandSpec kIn{Role::Use, ValueType::Bits32};

constexpr Opcode kOpcodes[] = {
    {"ds_gws_init", initialize, {{kIn}}, kOffset | kGlobalDataShare, nullptr},
    {"ds_gws_barrier", arrive, {{kIn}}, kOffset | kGlobalDataShare, nullptr},
    {"ds_gws_sema_v", releaseOne, {}, kOffset | kGlobalDataShare, nullptr},
    {"ds_gws_sema_br", releaseMany, {{kIn}}, kOffset | kGlobalDataShare, nullptr},
    {"ds_gws_sema_release_all", releaseWaiting, {}, kOffset | kGlobalDataShare, nullptr},
    {"ds_gws_sema_p", acquire, {}, kOffset | kGlobalDataShare, nullptr},
};

} // namespace

Family globalWaveSyncFamily() {
  return kOpcodes;
}

} // namespace gpusim
