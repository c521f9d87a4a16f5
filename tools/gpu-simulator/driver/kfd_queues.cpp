#include "driver/kfd_queues.h"

#include <cerrno>
#include <string>

#include "driver/log.h"
#include "packets/aql_queue.h"
#include "packets/sdma_queue.h"

namespace gpusim {
namespace {

constexpr std::size_t kDoorbellBytes = 8;

std::size_t freeDoorbell(const Gpu& gpu) {
  std::size_t doorbell = 0;
  while (doorbell < kDoorbellsPerGpu && gpu.doorbells.test(doorbell))
    ++doorbell;
  return doorbell;
}

template <typename Queue>
std::unique_ptr<HardwareQueue> whenValid(std::unique_ptr<Queue> queue) {
  return queue->valid() ? std::move(queue) : nullptr;
}

} // namespace

int QueueTable::create(kfd::CreateQueue& arguments) {
  const std::lock_guard lock(mutex_);
  Gpu* gpu = memory_.findGpu(arguments.base.gpu_id);
  if (gpu == nullptr || arguments.base.ring_size == 0)
    return -EINVAL;
  const std::size_t doorbell = freeDoorbell(*gpu);
  if (doorbell == kDoorbellsPerGpu)
    return -ENOMEM;
  uint32_t queueId = 0;
  while (queues_.contains(queueId))
    ++queueId;
  auto queue = makeQueue(queueId, *gpu, arguments.base);
  if (queue == nullptr)
    return -EINVAL;

  gpu->doorbells.set(doorbell);
  arguments.base.queue_id = queueId;
  arguments.base.doorbell_offset =
      BackingStore::doorbellOffset(gpu->index) + doorbell * kDoorbellBytes;
  queue->setRunnable(arguments.base.queue_percentage != 0);
  queue->start();
  queues_.emplace(queueId, Entry{std::move(queue), gpu, doorbell});
  return 0;
}

std::unique_ptr<HardwareQueue> QueueTable::makeQueue(uint32_t queueId, Gpu& gpu,
                                                     const kfd_ioctl_create_queue_args& arguments) {
  switch (arguments.queue_type) {
  case KFD_IOC_QUEUE_TYPE_COMPUTE_AQL:
    return whenValid(std::make_unique<AqlQueue>(
        queueId, gpu, services_, monitor_,
        AqlQueuePlace{.ringAddress = arguments.ring_base_address,
                      .ringBytes = arguments.ring_size,
                      .readIndexAddress = arguments.read_pointer_address,
                      .saveAreaAddress = arguments.ctx_save_restore_address}));
  case KFD_IOC_QUEUE_TYPE_SDMA:
  case KFD_IOC_QUEUE_TYPE_SDMA_XGMI:
  case kfd::kQueueSdmaByEngine:
    return whenValid(std::make_unique<SdmaQueue>(
        queueId, gpu, services_, monitor_,
        SdmaQueuePlace{.ringAddress = arguments.ring_base_address,
                       .ringBytes = arguments.ring_size,
                       .readPointerAddress = arguments.read_pointer_address,
                       .writePointerAddress = arguments.write_pointer_address}));
  default:
    logLine("queue type " + std::to_string(arguments.queue_type) +
            " is not modelled; the queue is refused");
    return nullptr;
  }
}

int QueueTable::destroy(uint32_t queueId) {
  Entry entry;
  {
    const std::lock_guard lock(mutex_);
    const auto found = queues_.find(queueId);
    if (found == queues_.end())
      return -EINVAL;
    entry = std::move(found->second);
    queues_.erase(found);
  }
  // Outside the lock: a kernel may take a while to notice.
  entry.queue->stop();
  const std::lock_guard lock(mutex_);
  entry.gpu->doorbells.reset(entry.doorbell);
  return 0;
}

int QueueTable::update(const kfd_ioctl_update_queue_args& arguments) {
  const std::lock_guard lock(mutex_);
  const auto found = queues_.find(arguments.queue_id);
  if (found == queues_.end())
    return -EINVAL;
  found->second.queue->setRunnable(arguments.queue_percentage != 0 &&
                                   arguments.ring_base_address != 0);
  return 0;
}

std::string QueueTable::causeOfRuntimeCrash() {
  const std::lock_guard lock(mutex_);
  for (const auto& [id, entry] : queues_)
    if (std::string cause = entry.queue->causeOfRuntimeCrash(); !cause.empty())
      return cause;
  return {};
}

bool QueueTable::contains(uint32_t queueId) {
  const std::lock_guard lock(mutex_);
  return queues_.contains(queueId);
}

} // namespace gpusim
