#include "packets/sdma_queue.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "driver/clock.h"
#include "driver/log.h"

namespace gpusim {
namespace {

enum Opcode : uint32_t {
  kNop = 0,
  kCopy = 1,
  kWrite = 2,
  kFence = 5,
  kTrap = 6,
  kPoll = 8,
  kAtomic = 10,
  kFill = 11,
  kTimestamp = 13,
  kCacheControl = 17, ///< gfx10: caches are not modelled, nothing to do
};

constexpr uint32_t kCopyLinear = 0;
constexpr uint32_t kCopyRectangle = 4;
constexpr uint32_t kTimestampGlobal = 2;
constexpr uint32_t kCacheControlWords = 4;
constexpr uint32_t kPointerBytes = sizeof(uint64_t);

constexpr uint32_t opcodeOf(uint32_t header) {
  return header & 0xff;
}
constexpr uint32_t subOpcodeOf(uint32_t header) {
  return (header >> 8) & 0xff;
}

/// `width` bits of `word` from bit `low` on.
constexpr uint32_t field(uint32_t word, uint32_t low, uint32_t width) {
  return (word >> low) & ((uint64_t{1} << width) - 1);
}

/// One side of a rectangular copy, in bytes.
struct Window {
  uint64_t base = 0;
  uint64_t pitch = 0;
  uint64_t slice = 0;

  uint64_t row(uint64_t y, uint64_t z) const { return base + y * pitch + z * slice; }
};

/// Reads one side; its pitches are counted in elements of `1 << shift` bytes.
Window readWindow(SdmaWords& words, uint32_t shift) {
  Window window;
  const uint64_t base = words.nextPair();
  const uint32_t xy = words.next();
  const uint32_t zPitch = words.next();
  window.slice = (uint64_t{field(words.next(), 0, 28)} + 1) << shift;
  window.pitch = (uint64_t{field(zPitch, 13, 19)} + 1) << shift;
  window.base = base + (uint64_t{field(xy, 0, 14)} << shift) + field(xy, 16, 14) * window.pitch +
                field(zPitch, 0, 11) * window.slice;
  return window;
}

bool compare(uint32_t function, uint32_t value, uint32_t reference) {
  switch (function) {
  case 0:
    return true;
  case 1:
    return value < reference;
  case 2:
    return value <= reference;
  case 3:
    return value == reference;
  case 4:
    return value != reference;
  case 5:
    return value >= reference;
  default:
    return value > reference;
  }
}

template <typename Word>
std::atomic_ref<Word> shared(std::byte* place) {
  return std::atomic_ref<Word>(*reinterpret_cast<Word*>(place));
}

} // namespace

SdmaQueue::SdmaQueue(uint32_t queueId, Gpu& gpu, QueueServices& services, DoorbellMonitor& monitor,
                     const SdmaQueuePlace& place)
    : HardwareQueue(queueId, gpu, services, monitor), place_(place),
      ring_(translate(gpu.memory, place.ringAddress, place.ringBytes, true)),
      read_(reinterpret_cast<uint64_t*>(
          translate(gpu.memory, place.readPointerAddress, kPointerBytes, true))),
      write_(reinterpret_cast<uint64_t*>(
          translate(gpu.memory, place.writePointerAddress, kPointerBytes, true))) {}

bool SdmaQueue::hasWork() const {
  return readPointer() != std::atomic_ref<uint64_t>(*write_).load(std::memory_order_acquire);
}

uint64_t SdmaQueue::readPointer() const {
  return std::atomic_ref<uint64_t>(*read_).load(std::memory_order_acquire);
}

void SdmaQueue::processPacket() {
  SdmaWords words(ring_, place_.ringBytes, readPointer());
  if (run(words))
    std::atomic_ref<uint64_t>(*read_).store(words.position(), std::memory_order_release);
}

bool SdmaQueue::run(SdmaWords& words) {
  const uint32_t header = words.next();
  if (opcodeOf(header) != kNop)
    trace("SDMA packet " + hex(header));
  switch (opcodeOf(header)) {
  case kNop:
    words.skip(field(header, 16, 14));
    return true;
  case kCopy:
    return copy(header, words);
  case kWrite:
    return writeData(words);
  case kFence:
    return fence(words);
  case kTrap:
    services_.raise(field(words.next(), 0, 28));
    return true;
  case kPoll:
    return poll(header, words);
  case kAtomic:
    return atomic(header, words);
  case kFill:
    return fill(header, words);
  case kTimestamp:
    return timestamp(header, words);
  case kCacheControl:
    words.skip(kCacheControlWords);
    return true;
  default:
    return refuse("SDMA packet " + hex(header) + " is not modelled");
  }
}

bool SdmaQueue::copy(uint32_t header, SdmaWords& words) {
  switch (subOpcodeOf(header)) {
  case kCopyLinear:
    return copyLinear(words);
  case kCopyRectangle:
    return copyRectangle(header, words);
  default:
    return refuse("SDMA copy " + hex(header) + " is not modelled");
  }
}

bool SdmaQueue::copyLinear(SdmaWords& words) {
  const uint64_t size = uint64_t{field(words.next(), 0, 30)} + 1;
  words.skip(1);
  const uint64_t source = words.nextPair();
  const uint64_t destination = words.nextPair();
  return moveBytes(destination, source, size);
}

bool SdmaQueue::copyRectangle(uint32_t header, SdmaWords& words) {
  const uint32_t shift = field(header, 29, 3);
  const Window source = readWindow(words, shift);
  const Window destination = readWindow(words, shift);
  const uint32_t xy = words.next();
  const uint32_t rowCount = field(xy, 16, 14) + 1;
  const uint32_t sliceCount = field(words.next(), 0, 11) + 1;
  const uint64_t rowBytes = (uint64_t{field(xy, 0, 14)} + 1) << shift;
  for (uint32_t z = 0; z < sliceCount; ++z)
    for (uint32_t y = 0; y < rowCount; ++y)
      if (!moveBytes(destination.row(y, z), source.row(y, z), rowBytes))
        return false;
  return true;
}

bool SdmaQueue::writeData(SdmaWords& words) {
  const uint64_t address = words.nextPair();
  const uint64_t count = uint64_t{field(words.next(), 0, 20)} + 1;
  for (uint64_t i = 0; i < count; ++i) {
    std::byte* place = reach(address + i * sizeof(uint32_t), sizeof(uint32_t), true);
    if (place == nullptr)
      return false;
    shared<uint32_t>(place).store(words.next());
  }
  return true;
}

bool SdmaQueue::fence(SdmaWords& words) {
  std::byte* place = reach(words.nextPair(), sizeof(uint32_t), true);
  if (place == nullptr)
    return false;
  shared<uint32_t>(place).store(words.next(), std::memory_order_release);
  return true;
}

bool SdmaQueue::poll(uint32_t header, SdmaWords& words) {
  const bool ofMemory = field(header, 31, 1) != 0;
  const uint64_t address = words.nextPair();
  const uint32_t reference = words.next();
  const uint32_t mask = words.next();
  words.skip(1);
  if (!ofMemory) {
    // ROCr's flush of the host data path: its registers are not modelled, and memory is coherent.
    constexpr uint64_t kFlushRegisters = uint64_t{1} << 63;
    return address == kFlushRegisters || refuse("SDMA poll of register " + hex(address));
  }
  std::byte* place = reach(address, sizeof(uint32_t), false);
  if (place == nullptr)
    return false;
  return waitUntil([&] {
    const uint32_t value = shared<uint32_t>(place).load(std::memory_order_acquire);
    return compare(field(header, 28, 3), value & mask, reference);
  });
}

bool SdmaQueue::atomic(uint32_t header, SdmaWords& words) {
  constexpr uint32_t kAdd64 = 47;
  if (field(header, 25, 7) != kAdd64)
    return refuse("SDMA atomic operation " + std::to_string(field(header, 25, 7)) +
                  " is not modelled");
  std::byte* place = reach(words.nextPair(), sizeof(uint64_t), true);
  if (place == nullptr)
    return false;
  const uint64_t operand = words.nextPair();
  words.skip(3); // comparison value and retry interval
  shared<uint64_t>(place).fetch_add(operand, std::memory_order_acq_rel);
  return true;
}

bool SdmaQueue::fill(uint32_t header, SdmaWords& words) {
  uint64_t address = words.nextPair();
  const uint32_t value = words.next();
  const uint32_t shift = field(header, 30, 2); // elements of 1, 2 or 4 bytes
  const uint64_t unit = uint64_t{1} << shift;
  uint64_t left = ((uint64_t{field(words.next(), 0, 30)} >> shift) + 1) << shift;
  while (left != 0) {
    const MemoryRange range = gpu_.memory.find(address);
    const uint64_t size = std::min(left, range.end - address);
    std::byte* place = reach(address, std::max(size, unit), true);
    if (place == nullptr)
      return false;
    for (uint64_t at = 0; at < size; at += unit)
      std::memcpy(place + at, &value, unit);
    address += size;
    left -= size;
  }
  return true;
}

bool SdmaQueue::timestamp(uint32_t header, SdmaWords& words) {
  if (subOpcodeOf(header) != kTimestampGlobal)
    return refuse("SDMA timestamp " + hex(header) + " is not modelled");
  std::byte* place = reach(words.nextPair(), sizeof(uint64_t), true);
  if (place == nullptr)
    return false;
  shared<uint64_t>(place).store(gpuClock(), std::memory_order_release);
  return true;
}

bool SdmaQueue::moveBytes(uint64_t destination, uint64_t source, uint64_t size) {
  while (size != 0) {
    const MemoryRange from = gpu_.memory.find(source);
    const MemoryRange to = gpu_.memory.find(destination);
    // An unmapped side leaves one byte, at which the access faults.
    const uint64_t piece =
        std::max<uint64_t>(1, std::min({size, from.end - std::min(from.end, source),
                                        to.end - std::min(to.end, destination)}));
    const std::byte* read = reach(source, piece, false);
    std::byte* write = read == nullptr ? nullptr : reach(destination, piece, true);
    if (write == nullptr)
      return false;
    std::memmove(write, read, piece);
    source += piece;
    destination += piece;
    size -= piece;
  }
  return true;
}

/// The host bytes of a GPU address, or null after reporting a fault.
std::byte* SdmaQueue::reach(uint64_t address, uint64_t size, bool forWriting) {
  std::byte* place = translate(gpu_.memory, address, size, forWriting);
  if (place != nullptr)
    return place;
  const std::string message = std::string("SDMA ") + (forWriting ? "write to " : "read of ") +
                              hex(address) + ", which is not mapped" +
                              (forWriting ? " for writing" : "");
  stopWithMemoryFault(Fault{.kind = Fault::Kind::MemoryViolation,
                            .pc = 0,
                            .address = address,
                            .isWrite = forWriting,
                            .message = message});
  return nullptr;
}

/// SDMA queues have no error signal: like a hung engine, the fault reaches the program as a
/// memory exception, here at the packet that could not be run.
bool SdmaQueue::refuse(const std::string& what) {
  const uint64_t address = place_.ringAddress + readPointer() % place_.ringBytes;
  stopWithMemoryFault(Fault{.kind = Fault::Kind::MemoryViolation,
                            .pc = 0,
                            .address = address,
                            .isWrite = false,
                            .message = what});
  return false;
}

} // namespace gpusim
