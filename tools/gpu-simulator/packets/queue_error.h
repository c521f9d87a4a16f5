// Errors that end a queue, and how they are spelt for the program's runtime.
#pragma once

#include <cstdint>

#include "interpreter/interpreter.h"

namespace gpusim {

enum class QueueError {
  InvalidDimensions,
  InvalidGroupMemory,
  InvalidCode,
  InvalidPacket,
  InvalidVendorPacket,
  WorkgroupTooLarge,
  ApertureViolation,
  IllegalInstruction,
  Trap,
};

/// What the command processor's firmware stores in the queue's inactive signal.
int64_t inactiveSignalCode(QueueError error);

/// The exception bit for runtimes that take exceptions through the queue's save area.
uint64_t exceptionBit(QueueError error);

/// The error that a fault of a kernel ends its queue with; memory faults take another way.
QueueError queueErrorOf(Fault::Kind kind);

} // namespace gpusim
