#include "driver/host_waiters.h"

#include <chrono>

namespace gpusim {

void HostWaiters::wake() {
  if (sleepers_.load() == 0)
    return;
  // Whoever has looked and is not asleep yet holds the lock.
  { const std::lock_guard lock(mutex_); }
  changed_.notify_all();
}

void HostWaiters::sleepUntil(const std::function<bool()>& condition) {
  constexpr std::chrono::milliseconds kLongestSleep{1};
  std::unique_lock lock(mutex_);
  ++sleepers_;
  while (!condition())
    changed_.wait_for(lock, kLongestSleep);
  --sleepers_;
}

} // namespace gpusim
