#include "packets/doorbell_monitor.h"

#include <algorithm>
#include <chrono>

#include <csignal>
#include <pthread.h>

namespace gpusim {
namespace {

constexpr std::chrono::microseconds kShortestPause{30};
constexpr std::chrono::microseconds kLongestPause{500};
/// Looks at the shortest pause after the last sign of life.
constexpr int kEagerLooks = 400;

} // namespace

void DoorbellMonitor::add(DoorbellListener& listener) {
  const std::lock_guard lock(mutex_);
  listeners_.push_back(&listener);
  if (started_) {
    poke_.notify_one(); // it sleeps without end while there are no listeners
    return;
  }
  started_ = true;
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_setname_np(thread.native_handle(), "amdgpu-doorbell");
  // Never joined: the machine outlives everything, exit handlers included.
  thread.detach();
}

void DoorbellMonitor::remove(DoorbellListener& listener) {
  const std::lock_guard lock(mutex_);
  std::erase(listeners_, &listener);
}

void DoorbellMonitor::lookNow() {
  {
    const std::lock_guard lock(mutex_);
    poked_ = true;
    ringListenersLocked();
  }
  poke_.notify_one();
}

void DoorbellMonitor::ringListenersLocked() {
  for (DoorbellListener* listener : listeners_)
    listener->doorbell();
}

void DoorbellMonitor::run() {
  std::unique_lock lock(mutex_);
  auto pause = kShortestPause;
  int looks = 0;
  while (true) {
    if (listeners_.empty())
      poke_.wait(lock, [this] { return poked_ || !listeners_.empty(); });
    else
      poke_.wait_for(lock, pause, [this] { return poked_; });
    looks = poked_ ? 0 : looks + 1;
    poked_ = false;
    pause = looks < kEagerLooks ? kShortestPause : std::min(2 * pause, kLongestPause);
    ringListenersLocked();
  }
}

} // namespace gpusim
