// What queues need from the machine around them.
#pragma once

#include <cstdint>
#include <string_view>

#include "interpreter/interpreter.h"

namespace gpusim {

struct Gpu;

class QueueServices : public InterruptSink {
public:
  /// A packet's work is done: host threads that sleep on signals should look.
  virtual void signalsMayHaveChanged() = 0;

  /// Tells the program that `gpu` touched memory it may not touch.
  virtual void reportMemoryFault(const Gpu& gpu, const Fault& fault) = 0;

  /// Whether the program's runtime has taken up all memory faults that were reported.
  virtual bool memoryFaultsAreKnown() = 0;

  /// Whether the program's runtime asked for exceptions through its queues' save areas; older
  /// runtimes get error codes in the queue's inactive signal.
  virtual bool runtimeTakesExceptions() const = 0;

  /// How the waves of a dispatch are to be scheduled.
  virtual Schedule schedule() const = 0;

  /// What dispatches do about accesses beyond their local memory.
  virtual LocalOverrun localOverrun() const = 0;

  /// Called once a kernel has ended, faulted or not.
  virtual void recordDispatch(const Gpu& gpu, std::string_view kernel,
                              const ExecutionStatistics& statistics) = 0;

  /// Whether traces of packets are wanted.
  virtual bool tracesPackets() const = 0;

  /// Where the instructions of `kernel` go; null when they are not wanted.
  virtual InstructionTrace* instructionTrace(std::string_view kernel) = 0;
};

} // namespace gpusim
