#include "packets/queue_error.h"

namespace gpusim {
namespace {

struct Spelling {
  int64_t inactiveSignal;
  uint32_t exception; ///< number of the driver's exception code, counted from 1
};

constexpr Spelling spellingOf(QueueError error) {
  switch (error) {
  case QueueError::InvalidDimensions:
    return {0x2, 16};
  case QueueError::InvalidGroupMemory:
    return {0x4, 17};
  case QueueError::InvalidCode:
    return {0x8, 18};
  case QueueError::InvalidPacket:
    return {0x20, 20};
  case QueueError::InvalidVendorPacket:
    return {0x100, 23};
  case QueueError::WorkgroupTooLarge:
    return {0x40, 21};
  case QueueError::ApertureViolation:
    return {0x20000000, 6};
  case QueueError::IllegalInstruction:
    return {0x40000000, 4};
  case QueueError::Trap:
    return {0x80000000, 2};
  }
  return {0x20, 20};
}

} // namespace

int64_t inactiveSignalCode(QueueError error) {
  return spellingOf(error).inactiveSignal;
}

uint64_t exceptionBit(QueueError error) {
  return uint64_t{1} << (spellingOf(error).exception - 1);
}

QueueError queueErrorOf(Fault::Kind kind) {
  switch (kind) {
  case Fault::Kind::Trap:
    return QueueError::Trap;
  case Fault::Kind::InvalidDispatch:
    return QueueError::InvalidCode;
  case Fault::Kind::ApertureViolation:
    return QueueError::ApertureViolation;
  case Fault::Kind::MemoryViolation:
  case Fault::Kind::IllegalInstruction:
  case Fault::Kind::Unsupported:
    break;
  }
  return QueueError::IllegalInstruction;
}

} // namespace gpusim
