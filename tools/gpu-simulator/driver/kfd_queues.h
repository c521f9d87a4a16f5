// Driver queues: creation, suspension and destruction of the GPUs' queues.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "driver/gpu.h"
#include "driver/kfd_abi.h"
#include "driver/kfd_memory.h"
#include "packets/doorbell_monitor.h"
#include "packets/hardware_queue.h"
#include "packets/queue_services.h"

namespace gpusim {

class QueueTable {
public:
  QueueTable(MemoryTable& memory, QueueServices& services, DoorbellMonitor& monitor)
      : memory_(memory), services_(services), monitor_(monitor) {}

  /// The driver's requests; each returns 0 or a negated errno.
  int create(kfd::CreateQueue& arguments);
  int destroy(uint32_t queueId);
  int update(const kfd_ioctl_update_queue_args& arguments);

  bool contains(uint32_t queueId);

  /// See HardwareQueue; of the first queue that knows something.
  std::string causeOfRuntimeCrash();

private:
  struct Entry {
    std::unique_ptr<HardwareQueue> queue;
    Gpu* gpu = nullptr;
    std::size_t doorbell = 0;
  };

  std::unique_ptr<HardwareQueue> makeQueue(uint32_t queueId, Gpu& gpu,
                                           const kfd_ioctl_create_queue_args& arguments);

  MemoryTable& memory_;
  QueueServices& services_;
  DoorbellMonitor& monitor_;
  std::mutex mutex_;
  std::map<uint32_t, Entry> queues_;
};

} // namespace gpusim
