// An SDMA queue: copies, fills and the synchronisation around them.
#pragma once

#include <cstdint>
#include <string>

#include "packets/hardware_queue.h"
#include "packets/sdma_ring.h"

namespace gpusim {

/// Where an SDMA queue lies, as CREATE_QUEUE says. Read and write pointers count bytes.
struct SdmaQueuePlace {
  uint64_t ringAddress = 0;
  uint32_t ringBytes = 0;
  uint64_t readPointerAddress = 0;
  uint64_t writePointerAddress = 0;
};

class SdmaQueue final : public HardwareQueue {
public:
  SdmaQueue(uint32_t queueId, Gpu& gpu, QueueServices& services, DoorbellMonitor& monitor,
            const SdmaQueuePlace& place);

  bool valid() const { return ring_ != nullptr && read_ != nullptr && write_ != nullptr; }

protected:
  bool hasWork() const override;
  void processPacket() override;

private:
  uint64_t readPointer() const;

  /// Each runs one packet whose words `words` yields; false when it faulted or was stopped.
  bool run(SdmaWords& words);
  bool copy(uint32_t header, SdmaWords& words);
  bool copyLinear(SdmaWords& words);
  bool copyRectangle(uint32_t header, SdmaWords& words);
  bool writeData(SdmaWords& words);
  bool fence(SdmaWords& words);
  bool poll(uint32_t header, SdmaWords& words);
  bool atomic(uint32_t header, SdmaWords& words);
  bool fill(uint32_t header, SdmaWords& words);
  bool timestamp(uint32_t header, SdmaWords& words);

  bool moveBytes(uint64_t destination, uint64_t source, uint64_t size);
  std::byte* reach(uint64_t address, uint64_t size, bool forWriting);
  bool refuse(const std::string& what);

  const SdmaQueuePlace place_;
  std::byte* ring_;
  uint64_t* read_;
  uint64_t* write_;
};

} // namespace gpusim
