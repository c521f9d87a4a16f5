#include "signals.h"

#include "lifecycle.h"
#include "message.h"

#include <atomic>
#include <cstdlib>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

namespace device_coverage {
namespace {

struct Watched {
  int signal;
  const char* name;
  bool endsProgram;
  bool taken;
  std::atomic<bool> raised;
};

Watched watchedSignals[] = {{SIGTERM, "TERM", true, false, {false}},
                            {SIGUSR1, "USR1", false, false, {false}}};
sem_t wakeUp;
pid_t owner = 0; // the process that has the thread

// Does what the signal does to a program that does not handle it.
void end(int signal) {
  ::signal(signal, SIG_DFL);
  kill(getpid(), signal);
}

void handle(int signal) {
  // A child that was forked a moment ago, before it could give the signals back.
  if (getpid() != owner) {
    end(signal);
    return;
  }
  for (Watched& watched : watchedSignals)
    if (watched.signal == signal)
      watched.raised = true;
  sem_post(&wakeUp);
}

void* watch(void*) {
  for (;;) {
    if (sem_wait(&wakeUp) != 0)
      continue;
    for (Watched& watched : watchedSignals) {
      if (!watched.raised.exchange(false))
        continue;
      tell("signal SIG%s arrived; counters are drained; nothing is to be done", watched.name);
      drain().flush();
      if (watched.endsProgram)
        end(watched.signal);
    }
  }
}

bool startWatching() {
  sigset_t all;
  sigset_t before;
  pthread_t thread;
  sigfillset(&all);
  if (sem_init(&wakeUp, 0, 0) != 0)
    return false;
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const bool started = pthread_create(&thread, nullptr, watch, nullptr) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (started)
    pthread_detach(thread);
  return started;
}

void take(Watched& watched) {
  struct sigaction present;
  if (sigaction(watched.signal, nullptr, &present) != 0 || present.sa_handler != SIG_DFL) {
    warn("the program handles SIG%s itself; it does not drain on that signal; call "
         "device_coverage_flush() where the program reacts to it",
         watched.name);
    return;
  }
  struct sigaction own = {};
  own.sa_handler = handle;
  own.sa_flags = SA_RESTART;
  watched.taken = sigaction(watched.signal, &own, nullptr) == 0;
}

} // namespace

void watchSignals() {
  const char* wanted = std::getenv("DEVICE_COVERAGE_FLUSH_ON_SIGNAL");
  if (wanted == nullptr || *wanted == '\0')
    return;
  owner = getpid();
  if (!startWatching()) {
    warn(
        "no thread could be started to wait for signals; DEVICE_COVERAGE_FLUSH_ON_SIGNAL=%.40s has "
        "no effect; raise the limit of threads",
        wanted);
    return;
  }
  for (Watched& watched : watchedSignals)
    if (std::strstr(wanted, watched.name) != nullptr)
      take(watched);
}

void releaseSignals() {
  for (Watched& watched : watchedSignals)
    if (watched.taken)
      signal(watched.signal, SIG_DFL);
}

} // namespace device_coverage
