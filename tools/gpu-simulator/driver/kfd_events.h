// Driver events: what host threads sleep on until a GPU or another thread wakes them.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "driver/kfd_abi.h"

namespace gpusim {

class EventTable {
public:
  /// Most events a process may have: the slots of the event page.
  static constexpr uint32_t kMaxEvents = 4096;

  /// `onWait` runs whenever a host thread is about to sleep: a good moment to look at doorbells.
  /// `onSet` runs when an event was set.
  EventTable(std::function<void()> onWait, std::function<void()> onSet)
      : onWait_(std::move(onWait)), onSet_(std::move(onSet)) {}

  /// The driver's requests; each returns 0 or a negated errno.
  int create(kfd_ioctl_create_event_args& arguments);
  int destroy(uint32_t eventId);
  int set(uint32_t eventId);
  int reset(uint32_t eventId);
  int wait(kfd_ioctl_wait_events_args& arguments);

  /// An interrupt of a GPU. Unknown events are ignored: the program may just have destroyed it.
  void interrupt(uint32_t eventId);

  /// Wakes every waiter for memory exceptions.
  void raiseMemoryException(const kfd_hsa_memory_exception_data& exception);

  /// Whether the program has been told of all memory exceptions: a wait returned with the last.
  bool memoryExceptionsAreKnown();

private:
  struct Event {
    uint32_t type = 0;
    bool autoReset = false;
    bool signaled = false;
    uint64_t age = 1; ///< grows at each set, so that a waiter notices sets it slept through
    std::map<std::thread::id, uint64_t> ageSeen{}; ///< at the end of each thread's last wait
    kfd_hsa_memory_exception_data exception{};
  };

  /// One event of a wait. A set since the thread's last wait for the event counts, even when another
  /// waiter consumed it. ROCr before 6.1 needs that more than hardware gives it: all its queues share
  /// an event, so its own thread consumes the set that a thread is waiting for which destroys a queue.
  struct Wanted {
    kfd::EventData data;
    uint64_t ageSeen;
  };

  Event* findLocked(uint32_t eventId);
  void setLocked(Event& event);
  std::vector<Wanted> startWaitLocked(const kfd_ioctl_wait_events_args& arguments);
  void endWaitLocked(const std::vector<Wanted>& wanted);
  bool readyLocked(const Wanted& wanted);
  bool satisfiedLocked(const std::vector<Wanted>& wanted, bool all, bool& unknown);
  void consumeLocked(const std::vector<Wanted>& wanted, bool all, kfd::EventData* results);

  std::function<void()> onWait_;
  std::function<void()> onSet_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<uint32_t, Event> events_;
  bool memoryExceptionsAreKnown_ = true;
};

} // namespace gpusim
