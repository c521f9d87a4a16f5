// The simulated machine of one process. Made at the first use of a device file, never destroyed:
// exit handlers of the program may still use the GPUs.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "driver/backing_store.h"
#include "driver/configuration.h"
#include "driver/gem_objects.h"
#include "driver/gpu.h"
#include "driver/host_waiters.h"
#include "driver/instruction_log.h"
#include "driver/kfd_events.h"
#include "driver/kfd_memory.h"
#include "driver/kfd_queues.h"
#include "driver/shared_memory_attributes.h"
#include "driver/statistics.h"
#include "driver/storage.h"
#include "packets/doorbell_monitor.h"
#include "packets/queue_services.h"

namespace gpusim {

class Machine final : public QueueServices {
public:
  /// The machine of this process; a forked child gets a new one.
  static Machine& instance();

  /// The machine if this process has one already.
  static Machine* existing();

  /// Drops the parent's machine; to be called in a forked child only.
  static void forget();

  // QueueServices
  void raise(uint32_t eventId) override;
  void signalsMayHaveChanged() override { waiters_.wake(); }
  void reportMemoryFault(const Gpu& gpu, const Fault& fault) override;
  bool memoryFaultsAreKnown() override { return events_.memoryExceptionsAreKnown(); }
  bool runtimeTakesExceptions() const override;
  Schedule schedule() const override;
  LocalOverrun localOverrun() const override;
  void recordDispatch(const Gpu& gpu, std::string_view kernel,
                      const ExecutionStatistics& statistics) override;
  bool tracesPackets() const override;
  InstructionTrace* instructionTrace(std::string_view kernel) override;

  const Configuration& configuration() const { return configuration_; }
  const std::vector<std::unique_ptr<Gpu>>& gpus() const { return gpus_; }
  BackingStore& store() { return store_; }
  StorageTable& storages() { return storages_; }
  GemObjects& gemObjects() { return gemObjects_; }
  EventTable& events() { return events_; }
  MemoryTable& memory() { return memory_; }
  QueueTable& queues() { return queues_; }
  SharedMemoryAttributes& sharedMemory() { return sharedMemory_; }
  const StatisticsBook& statistics() const { return statistics_; }

  /// A thread of the program is about to wait for what it submitted.
  void lookAtDoorbells() { monitor_.lookNow(); }
  HostWaiters& waiters() { return waiters_; }

  /// The program's runtime called RUNTIME_ENABLE, or took it back.
  void setRuntimeEnabled(bool enabled) { runtimeEnabled_.store(enabled); }

  /// Whether page faults are retried (XNACK): process-wide, off at first.
  bool xnackEnabled() const { return xnackEnabled_.load(); }
  bool setXnackEnabled(bool enabled);

private:
  Machine();

  Configuration configuration_;
  std::vector<std::unique_ptr<Gpu>> gpus_;
  BackingStore store_;
  StorageTable storages_{store_};
  GemObjects gemObjects_{storages_};
  DoorbellMonitor monitor_;
  HostWaiters waiters_;
  EventTable events_;
  MemoryTable memory_;
  QueueTable queues_;
  SharedMemoryAttributes sharedMemory_;
  StatisticsBook statistics_;
  InstructionLog instructionLog_;
  std::atomic<bool> runtimeEnabled_{false};
  std::atomic<bool> xnackEnabled_{false};
};

} // namespace gpusim
