// Host threads that wait for what the GPUs write, asleep so that the GPUs' threads get their cores.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>

namespace gpusim {

class HostWaiters {
public:
  /// A GPU may have changed a signal: whoever sleeps looks again. Cheap when nobody does.
  void wake();

  /// Sleeps until `condition` holds. It is looked at after each wake() and each millisecond, since
  /// the host and other processes change signals without a word.
  void sleepUntil(const std::function<bool()>& condition);

private:
  std::atomic<int> sleepers_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
};

} // namespace gpusim
