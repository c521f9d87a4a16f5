// An AQL queue: takes packets in order, one at a time.
#pragma once

#include <cstdint>
#include <string>

#include <hsa/amd_hsa_queue.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

#include "packets/hardware_queue.h"
#include "packets/queue_error.h"
#include "packets/signal.h"

namespace gpusim {

/// Where an AQL queue lies, as CREATE_QUEUE says.
struct AqlQueuePlace {
  uint64_t ringAddress = 0;
  uint32_t ringBytes = 0;
  uint64_t readIndexAddress = 0; ///< within an amd_queue_t
  uint64_t saveAreaAddress = 0;  ///< context-save area, or 0
};

class AqlQueue final : public HardwareQueue {
public:
  AqlQueue(uint32_t queueId, Gpu& gpu, QueueServices& services, DoorbellMonitor& monitor,
           const AqlQueuePlace& place);

  /// Whether ring and queue structure are mapped to the GPU.
  bool valid() const { return ring_ != nullptr && queue_ != nullptr; }

  std::string causeOfRuntimeCrash() const override;

protected:
  bool hasWork() const override;
  void processPacket() override;

private:
  /// A packet of any type, as it lies in the ring.
  union Packet {
    uint16_t header;
    hsa_kernel_dispatch_packet_t dispatch;
    hsa_barrier_and_packet_t barrier;
    hsa_amd_vendor_packet_header_t vendor;
    hsa_amd_barrier_value_packet_t barrierValue;
    uint32_t words[16];
  };
  static_assert(sizeof(Packet) == 64);

  uint64_t readIndex() const;
  Packet& slot(uint64_t index) const;
  uint64_t slotAddress(uint64_t index) const;

  void runDispatch(const hsa_kernel_dispatch_packet_t& packet);
  bool checkDispatch(const hsa_kernel_dispatch_packet_t& packet);
  bool acquireScratch(const hsa_kernel_dispatch_packet_t& packet, ScratchArea& scratch);
  void releaseLargeScratch();
  bool askForScratch(int64_t code);
  ScratchArea currentScratch() const;
  Schedule schedule() const;
  KernelExecution::Progress execute(KernelExecution& execution);

  void runBarrier(const hsa_barrier_and_packet_t& packet, bool all);
  void runVendorPacket(const Packet& packet);
  void runBarrierValue(const hsa_amd_barrier_value_packet_t& packet);
  void runPm4(const Packet& packet);

  void finish(hsa_signal_t completion, const WorkTimes& times);
  void fail(QueueError error, const std::string& message);
  void fail(const Fault& fault);
  void failUnmapped(uint64_t address, const std::string& what);
  bool throughSaveArea(QueueError error);

  const AqlQueuePlace place_;
  std::byte* ring_;
  amd_queue_t* queue_;
  Signals signals_;
  GlobalWaveSync waveSync_;
};

} // namespace gpusim
