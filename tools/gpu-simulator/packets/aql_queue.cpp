#include "packets/aql_queue.h"

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "driver/clock.h"
#include "driver/kfd_abi.h"
#include "driver/log.h"
#include "packets/kernel_name.h"
#include "packets/pm4.h"
#include "packets/runtime_crash_cause.h"

namespace gpusim {
namespace {

constexpr uint64_t kPacketBytes = 64;
constexpr uint64_t kDescriptorBytes = 64;
constexpr uint16_t kVendorPm4 = 1; ///< vendor packet that carries a PM4 indirect buffer
constexpr uint64_t kInstructionsPerStep = 50'000;

uint64_t queueAddressOf(uint64_t readIndexAddress) {
  return readIndexAddress - offsetof(amd_queue_t, read_dispatch_id);
}

uint8_t typeOf(uint16_t header) {
  return static_cast<uint8_t>(header >> HSA_PACKET_HEADER_TYPE);
}

/// Fields of the queue structure change under our eyes.
template <typename Field>
Field loadShared(const volatile Field& field) {
  return std::atomic_ref<Field>(const_cast<Field&>(field)).load(std::memory_order_acquire);
}

} // namespace

AqlQueue::AqlQueue(uint32_t queueId, Gpu& gpu, QueueServices& services, DoorbellMonitor& monitor,
                   const AqlQueuePlace& place)
    : HardwareQueue(queueId, gpu, services, monitor), place_(place),
      ring_(translate(gpu.memory, place.ringAddress, place.ringBytes, true)),
      queue_(reinterpret_cast<amd_queue_t*>(translate(
          gpu.memory, queueAddressOf(place.readIndexAddress), sizeof(amd_queue_t), true))),
      signals_(gpu.memory, services) {}

/// Of a packet that has run, all but the type stays in its slot. HIP puts a barrier or two behind a
/// kernel.
std::string AqlQueue::causeOfRuntimeCrash() const {
  constexpr uint64_t kPacketsBack = 4;
  const uint64_t written = loadShared(queue_->write_dispatch_id);
  for (uint64_t back = 1; back <= std::min(kPacketsBack, written); ++back) {
    const uint64_t kernelObject = slot(written - back).dispatch.kernel_object;
    if (std::string cause = gpusim::causeOfRuntimeCrash(gpu_.memory, kernelObject); !cause.empty())
      return cause;
  }
  return {};
}

bool AqlQueue::hasWork() const {
  const uint64_t index = readIndex();
  if (index == loadShared(queue_->write_dispatch_id))
    return false;
  return typeOf(loadShared(slot(index).header)) != HSA_PACKET_TYPE_INVALID;
}

uint64_t AqlQueue::readIndex() const {
  return loadShared(queue_->read_dispatch_id);
}

AqlQueue::Packet& AqlQueue::slot(uint64_t index) const {
  return *reinterpret_cast<Packet*>(ring_ + (index * kPacketBytes) % place_.ringBytes);
}

uint64_t AqlQueue::slotAddress(uint64_t index) const {
  return place_.ringAddress + (index * kPacketBytes) % place_.ringBytes;
}

void AqlQueue::processPacket() {
  const Packet packet = slot(readIndex());
  const uint8_t type = typeOf(packet.header);
  trace("packet " + std::to_string(readIndex()) + " type " + std::to_string(type));
  switch (type) {
  case HSA_PACKET_TYPE_KERNEL_DISPATCH:
    return runDispatch(packet.dispatch);
  case HSA_PACKET_TYPE_BARRIER_AND:
    return runBarrier(packet.barrier, true);
  case HSA_PACKET_TYPE_BARRIER_OR:
    return runBarrier(packet.barrier, false);
  case HSA_PACKET_TYPE_VENDOR_SPECIFIC:
    return runVendorPacket(packet);
  default:
    return fail(QueueError::InvalidPacket,
                "AQL packet of type " + std::to_string(type) + " is not modelled");
  }
}

void AqlQueue::runDispatch(const hsa_kernel_dispatch_packet_t& packet) {
  if (!checkDispatch(packet))
    return;
  Dispatch dispatch{.architecture = gpu_.model.name,
                    .kernel = kernelName(gpu_.memory, packet.kernel_object),
                    .packet = packet,
                    .packetAddress = slotAddress(readIndex()),
                    .queueAddress = queueAddressOf(place_.readIndexAddress),
                    .dispatchId = readIndex(),
                    .scratch = {},
                    .sharedAperture = kSharedAperture,
                    .privateAperture = kPrivateAperture,
                    .codeGeneration = gpu_.codeGeneration.load(std::memory_order_acquire),
                    .waveSync = &waveSync_,
                    .interrupts = &services_,
                    .localOverrun = services_.localOverrun()};
  if (packet.private_segment_size != 0 && !acquireScratch(packet, dispatch.scratch))
    return;

  dispatch.trace = services_.instructionTrace(dispatch.kernel);
  WorkTimes times{.start = gpuClock()};
  const auto execution = startDispatch(dispatch, gpu_.memory, *gpu_.code, schedule());
  const KernelExecution::Progress progress = execute(*execution);
  times.end = gpuClock();
  if (progress == KernelExecution::Progress::Running)
    return; // given up
  services_.recordDispatch(gpu_, dispatch.kernel, execution->statistics());
  if (progress == KernelExecution::Progress::Faulted)
    return fail(execution->fault());
  finish(packet.completion_signal, times);
  releaseLargeScratch();
}

/// A cooperative launch relies on all its workgroups being resident, as far as the GPU holds them.
Schedule AqlQueue::schedule() const {
  Schedule schedule = services_.schedule();
  schedule.units = {.count = gpu_.model.computeUnits(),
                    .simds = gpu_.model.simdPerCu,
                    .wavesPerSimd = gpu_.model.maxWavesPerSimd};
  if (queue_->hsa_queue.type == HSA_QUEUE_TYPE_COOPERATIVE)
    schedule.residentWaves = gpu_.model.simdCount * gpu_.model.maxWavesPerSimd;
  return schedule;
}

KernelExecution::Progress AqlQueue::execute(KernelExecution& execution) {
  auto progress = KernelExecution::Progress::Running;
  while (progress == KernelExecution::Progress::Running && !givesUp())
    progress = execution.run(kInstructionsPerStep);
  return progress;
}

bool AqlQueue::checkDispatch(const hsa_kernel_dispatch_packet_t& packet) {
  constexpr uint32_t kMaxWorkgroup = 1024;
  constexpr uint32_t kLocalMemoryBytes = 64 * 1024;
  const uint32_t dimensions = (packet.setup >> HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS) & 0x3;
  const uint64_t workgroup =
      uint64_t{packet.workgroup_size_x} * packet.workgroup_size_y * packet.workgroup_size_z;
  const bool emptyGrid =
      packet.grid_size_x == 0 || packet.grid_size_y == 0 || packet.grid_size_z == 0;
  if (dimensions == 0 || workgroup == 0 || emptyGrid) {
    fail(QueueError::InvalidDimensions, "kernel dispatch with a dimension of size 0");
  } else if (workgroup > kMaxWorkgroup) {
    fail(QueueError::WorkgroupTooLarge, "workgroup of " + std::to_string(workgroup) +
                                            " work-items, the most is " +
                                            std::to_string(kMaxWorkgroup));
  } else if (packet.group_segment_size > kLocalMemoryBytes) {
    fail(QueueError::InvalidGroupMemory, std::to_string(packet.group_segment_size) +
                                             " bytes of local memory, there are " +
                                             std::to_string(kLocalMemoryBytes));
  } else if (packet.kernel_object == 0 || gpu_.code == nullptr) {
    fail(QueueError::InvalidCode,
         gpu_.code == nullptr
             ? "kernels of " + std::string(gpu_.model.name) + " cannot be interpreted"
             : "kernel dispatch without a kernel");
  } else if (translate(gpu_.memory, packet.kernel_object, kDescriptorBytes, false) == nullptr) {
    failUnmapped(packet.kernel_object, "kernel descriptor");
  } else {
    return true;
  }
  return false;
}

// Scratch is what ROCr allocates, not memory of the simulator: its dynamic allocation, retry and
// out-of-scratch paths then run as they do on hardware, and its size limits hold.
bool AqlQueue::acquireScratch(const hsa_kernel_dispatch_packet_t& packet, ScratchArea& scratch) {
  const uint32_t lanes = lanesOfWaves(gpu_.memory, packet.kernel_object);
  const int64_t code = lanes == 64 ? 0x1 : 0x400;
  const uint64_t needed = uint64_t{packet.private_segment_size} * lanes;
  for (scratch = currentScratch(); scratch.slots == 0 || scratch.bytesPerWave < needed;
       scratch = currentScratch()) {
    if (!askForScratch(code))
      return false;
  }
  return true;
}

ScratchArea AqlQueue::currentScratch() const {
  const uint32_t ringSize = loadShared(queue_->compute_tmpring_size);
  constexpr uint32_t kWavesMask = 0xfff;
  constexpr uint32_t kWaveSizeShift = 12;
  constexpr uint32_t kFirstGfx11 = 110000; // from there on in finer units
  const bool isFine = gpu_.model.gfxTargetVersion >= kFirstGfx11;
  const uint32_t waveSizeMask = isFine ? 0x7fff : 0x1fff;
  const uint64_t waveSizeUnit = isFine ? 256 : 1024;
  return {.base = loadShared(queue_->scratch_backing_memory_location),
          .bytesPerWave = ((ringSize >> kWaveSizeShift) & waveSizeMask) * waveSizeUnit,
          .slots = ringSize & kWavesMask};
}

/// Stores a request in the inactive signal and waits for the runtime to serve it.
bool AqlQueue::askForScratch(int64_t code) {
  trace("asks the runtime for scratch, code " + std::to_string(code));
  const hsa_signal_t signal = queue_->queue_inactive_signal;
  if (!signals_.store(signal, code)) {
    failUnmapped(signal.handle, "inactive signal");
    return false;
  }
  int64_t value = code;
  return waitUntil([&] { return signals_.load(signal, value) && value == 0; });
}

void AqlQueue::releaseLargeScratch() {
  constexpr int64_t kReclaim = 512;
  if ((loadShared(queue_->queue_properties) & AMD_QUEUE_PROPERTIES_USE_SCRATCH_ONCE) != 0)
    askForScratch(kReclaim);
}

void AqlQueue::runBarrier(const hsa_barrier_and_packet_t& packet, bool all) {
  WorkTimes times{.start = gpuClock()};
  uint64_t unmapped = 0;
  const auto satisfied = [&] {
    bool any = false;
    bool every = true;
    for (const hsa_signal_t signal : packet.dep_signal) {
      int64_t value = 0;
      if (!signals_.load(signal, value))
        unmapped = signal.handle;
      any = any || (signal.handle != 0 && value == 0);
      every = every && value == 0;
    }
    return unmapped != 0 || every || (!all && any);
  };
  if (!waitUntil(satisfied))
    return;
  if (unmapped != 0)
    return failUnmapped(unmapped, "signal of a barrier packet");
  times.end = gpuClock();
  finish(packet.completion_signal, times);
}

void AqlQueue::runVendorPacket(const Packet& packet) {
  switch (packet.vendor.AmdFormat) {
  case kVendorPm4:
    return runPm4(packet);
  case HSA_AMD_PACKET_TYPE_BARRIER_VALUE:
    return runBarrierValue(packet.barrierValue);
  default:
    return fail(QueueError::InvalidVendorPacket, "vendor packet of format " +
                                                     std::to_string(packet.vendor.AmdFormat) +
                                                     " is not modelled");
  }
}

void AqlQueue::runBarrierValue(const hsa_amd_barrier_value_packet_t& packet) {
  WorkTimes times{.start = gpuClock()};
  bool mapped = true;
  const auto satisfied = [&] {
    int64_t value = 0;
    mapped = signals_.load(packet.signal, value);
    value &= packet.mask;
    switch (packet.cond) {
    case HSA_SIGNAL_CONDITION_EQ:
      return value == packet.value || !mapped;
    case HSA_SIGNAL_CONDITION_NE:
      return value != packet.value || !mapped;
    case HSA_SIGNAL_CONDITION_LT:
      return value < packet.value || !mapped;
    default:
      return value >= packet.value || !mapped;
    }
  };
  if (packet.cond > HSA_SIGNAL_CONDITION_GTE)
    return fail(QueueError::InvalidVendorPacket,
                "barrier-value packet with condition " + std::to_string(packet.cond));
  if (packet.signal.handle != 0 && !waitUntil(satisfied))
    return;
  if (!mapped)
    return failUnmapped(packet.signal.handle, "signal of a barrier-value packet");
  times.end = gpuClock();
  finish(packet.completion_signal, times);
}

void AqlQueue::runPm4(const Packet& packet) {
  constexpr std::size_t kJumpWord = 1;
  constexpr std::size_t kCompletionWord = 14;
  WorkTimes times{.start = gpuClock()};
  const uint32_t jump[4] = {packet.words[kJumpWord], packet.words[kJumpWord + 1],
                            packet.words[kJumpWord + 2], packet.words[kJumpWord + 3]};
  const Pm4Result result = runIndirectBuffer(jump, gpu_.memory);
  if (result.memoryFault)
    return failUnmapped(result.address, "PM4 indirect buffer");
  if (!result.error.empty())
    return fail(QueueError::InvalidVendorPacket, result.error);
  if (result.invalidatesCaches)
    gpu_.codeGeneration.fetch_add(1, std::memory_order_release);
  times.end = gpuClock();
  const uint64_t completion =
      packet.words[kCompletionWord] | (uint64_t{packet.words[kCompletionWord + 1]} << 32);
  finish({completion}, times);
}

/// Frees the packet's slot, then tells the program. The slot stays until here because kernels
/// read their dispatch packet in the ring.
void AqlQueue::finish(hsa_signal_t completion, const WorkTimes& times) {
  const uint64_t index = readIndex();
  std::atomic_ref<uint16_t>(slot(index).header)
      .store(HSA_PACKET_TYPE_INVALID << HSA_PACKET_HEADER_TYPE, std::memory_order_release);
  std::atomic_ref<uint64_t>(const_cast<uint64_t&>(queue_->read_dispatch_id))
      .store(index + 1, std::memory_order_release);
  if (!signals_.complete(completion, times))
    failUnmapped(completion.handle, "completion signal");
}

void AqlQueue::fail(QueueError error, const std::string& message) {
  logLine(title() + ": " + message + "; the queue is stopped and its error reported");
  halt();
  if (!throughSaveArea(error))
    signals_.store(queue_->queue_inactive_signal, inactiveSignalCode(error));
}

/// The way of runtimes that called RUNTIME_ENABLE; false when this queue has none.
bool AqlQueue::throughSaveArea(QueueError error) {
  if (!services_.runtimeTakesExceptions() || place_.saveAreaAddress == 0)
    return false;
  const auto* header = reinterpret_cast<const kfd::ContextSaveHeader*>(
      translate(gpu_.memory, place_.saveAreaAddress, sizeof(kfd::ContextSaveHeader), false));
  if (header == nullptr || header->errorReason == 0)
    return false;
  auto* reason = reinterpret_cast<uint64_t*>(header->errorReason);
  std::atomic_ref<uint64_t>(*reason).fetch_or(exceptionBit(error));
  services_.raise(header->errorEventId);
  return true;
}

void AqlQueue::fail(const Fault& fault) {
  if (fault.kind != Fault::Kind::MemoryViolation)
    return fail(queueErrorOf(fault.kind), fault.message);
  stopWithMemoryFault(fault);
}

void AqlQueue::failUnmapped(uint64_t address, const std::string& what) {
  fail(Fault{.kind = Fault::Kind::MemoryViolation,
             .pc = 0,
             .address = address,
             .isWrite = false,
             .message = what + " at " + hex(address) + " is not mapped"});
}

} // namespace gpusim
