// A queue of the GPU: a ring in memory and the thread that works through it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "driver/gpu.h"
#include "packets/doorbell_monitor.h"
#include "packets/host_fault.h"
#include "packets/queue_services.h"

namespace gpusim {

/// Every queue has a thread of its own, so that a kernel may wait for another queue, another GPU
/// or the host without stopping anyone.
class HardwareQueue : public DoorbellListener {
public:
  HardwareQueue(uint32_t queueId, Gpu& gpu, QueueServices& services, DoorbellMonitor& monitor)
      : queueId_(queueId), gpu_(gpu), services_(services), monitor_(monitor) {}
  ~HardwareQueue() override = default;

  void start();

  /// Ends the thread; a kernel that is running is given up. Call before destroying.
  void stop();

  /// A queue that may not run leaves its packets where they are.
  void setRunnable(bool runnable);

  void doorbell() final;

  /// Why the runtime may have crashed after what it submitted last, as a message; empty when the
  /// queue knows of nothing.
  virtual std::string causeOfRuntimeCrash() const { return {}; }

protected:
  /// Whether a packet waits. Called from several threads.
  virtual bool hasWork() const = 0;

  /// Takes one packet from start to completion; called only when hasWork() said so.
  virtual void processPacket() = 0;

  /// Stops the queues of the GPU and tells the program that it touched memory it may not touch.
  void stopWithMemoryFault(const Fault& fault);

  /// Whether the packet at work is to be given up: the queue is being destroyed, or is off its GPU.
  bool givesUp() const { return stopping() || isEvicted(); }

  /// Polls until `condition` holds; false when the packet was given up before.
  bool waitUntil(const std::function<bool()>& condition) const;

  /// No packet is taken up any more; used after an error was reported.
  void halt() { halted_.store(true, std::memory_order_release); }

  /// "gpu 0 queue 3", for messages.
  std::string title() const;

  void trace(const std::string& what) const;

  const uint32_t queueId_;
  Gpu& gpu_;
  QueueServices& services_;

private:
  void run();
  void sleepUntilDoorbell();
  void reportLostMemory(const HostFault& lost);
  void abortUnlessTakenUp();
  /// False when the queue is being destroyed.
  bool poll(const std::function<bool()>& condition) const;
  bool canWork() const;
  bool stopping() const { return stopping_.load(std::memory_order_acquire); }
  bool isEvicted() const { return gpu_.queuesAreEvicted.load(std::memory_order_acquire); }

  DoorbellMonitor& monitor_;
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::atomic<bool> stopping_{false};
  std::atomic<bool> halted_{false};
  std::atomic<bool> runnable_{true};
  std::atomic<bool> asleep_{false};
};

} // namespace gpusim
