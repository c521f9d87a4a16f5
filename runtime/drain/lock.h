// A mutex whose waiting has an end. An exiting program must not hang because a thread that was
// stopped in the middle, or a device that does not answer, holds a lock of the drain.
#pragma once

#include <pthread.h>
#include <time.h>

namespace device_coverage {

class Lock {
public:
  bool acquire(int seconds) {
    timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += seconds;
    return pthread_mutex_timedlock(&mutex_, &end) == 0;
  }
  void release() { pthread_mutex_unlock(&mutex_); }

private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
};

// Holds the lock to the end of its scope, if it could be had.
class Held {
public:
  Held(Lock& lock, int seconds) : lock_(lock), acquired_(lock.acquire(seconds)) {}
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() {
    if (acquired_)
      lock_.release();
  }
  explicit operator bool() const { return acquired_; }

private:
  Lock& lock_;
  bool acquired_;
};

} // namespace device_coverage
