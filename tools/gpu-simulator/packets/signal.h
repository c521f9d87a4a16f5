// HSA signals as the GPU's packet processors see them.
#pragma once

#include <cstdint>

#include <hsa/hsa.h>

#include "interpreter/interpreter.h"

namespace gpusim {

/// When a packet's work began and ended, in GPU clock ticks.
struct WorkTimes {
  uint64_t start = 0;
  uint64_t end = 0;
};

/// Signals of one GPU's address space. A null handle is "no signal" and always succeeds; every
/// other function result of false means that the signal's memory is not mapped to the GPU.
class Signals {
public:
  Signals(const GuestMemory& memory, InterruptSink& interrupts)
      : memory_(memory), interrupts_(interrupts) {}

  bool load(hsa_signal_t signal, int64_t& value) const;

  /// Stores `value` and wakes whoever sleeps on the signal.
  bool store(hsa_signal_t signal, int64_t value) const;

  /// Ends a packet: writes its times, takes one off the value, wakes sleepers.
  bool complete(hsa_signal_t signal, const WorkTimes& times) const;

private:
  void notify(uint64_t mailbox, uint32_t eventId) const;

  const GuestMemory& memory_;
  InterruptSink& interrupts_;
};

} // namespace gpusim
