// Notices that a program rang a doorbell.
//
// Doorbells are plain memory here: a store to one wakes nobody. One thread looks at all sleeping
// queues in turn, often while there is traffic and rarely when there is none.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace gpusim {

class DoorbellListener {
public:
  virtual ~DoorbellListener() = default;

  /// Looks whether there is work and wakes the queue's thread if so.
  virtual void doorbell() = 0;
};

class DoorbellMonitor {
public:
  void add(DoorbellListener& listener);

  /// After the return `listener` is not called any more.
  void remove(DoorbellListener& listener);

  /// A host thread is about to wait: whatever it rang should be seen now. Looks itself.
  void lookNow();

private:
  void run();
  void ringListenersLocked();

  std::mutex mutex_;
  std::condition_variable poke_;
  std::vector<DoorbellListener*> listeners_;
  bool started_ = false;
  bool poked_ = false;
};

} // namespace gpusim
