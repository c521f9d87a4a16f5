#include "bounded_call.h"

#include "memory.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>

namespace device_coverage {
namespace {

struct Call {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t returned = PTHREAD_COND_INITIALIZER;
  bool done = false;
  bool abandoned = false; // then the thread frees this
  void (*function)(const void*) = nullptr;
  alignas(16) unsigned char argument[kLargestArgument];
};

Call* newCall() {
  void* pages =
      mmap(nullptr, sizeof(Call), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? nullptr : new (pages) Call();
}

void freeCall(Call* call) {
  pthread_cond_destroy(&call->returned);
  pthread_mutex_destroy(&call->mutex);
  munmap(call, sizeof(Call));
}

void* run(void* argument) {
  Call* call = static_cast<Call*>(argument);
  call->function(call->argument);
  pthread_mutex_lock(&call->mutex);
  call->done = true;
  const bool abandoned = call->abandoned;
  pthread_cond_signal(&call->returned);
  pthread_mutex_unlock(&call->mutex);
  if (abandoned)
    freeCall(call);
  return nullptr;
}

bool startThread(Call* call, pthread_t& thread) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const bool started = pthread_create(&thread, nullptr, run, call) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return started;
}

bool waitFor(Call* call, int seconds) {
  timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += seconds;
  pthread_mutex_lock(&call->mutex);
  while (!call->done && pthread_cond_timedwait(&call->returned, &call->mutex, &end) != ETIMEDOUT) {
  }
  const bool done = call->done;
  call->abandoned = !done;
  pthread_mutex_unlock(&call->mutex);
  return done;
}

} // namespace

bool callBounded(void (*function)(const void*), const void* argument, size_t size, int seconds) {
  Call* call = size <= kLargestArgument ? newCall() : nullptr;
  pthread_t thread;
  if (call != nullptr) {
    call->function = function;
    std::memcpy(call->argument, argument, size);
  }
  if (call == nullptr || !startThread(call, thread)) {
    if (call != nullptr)
      freeCall(call);
    function(argument);
    return true;
  }
  if (!waitFor(call, seconds)) {
    pthread_detach(thread);
    return false;
  }
  pthread_join(thread, nullptr);
  freeCall(call);
  return true;
}

} // namespace device_coverage
