// A program that the drain measures, on the HSA runtime made of host memory: it loads one code
// object, lets "kernels" count to 3, and ends in the way its argument names. Exit status 7 where it
// can choose.
#include "device_coverage.h"
#include "fake_hsa.h"
#include "test_files.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr int kStatus = 7;

FakeHsa& hsa() {
  static FakeHsa& leaked = *new FakeHsa;
  return leaked;
}

void startHsa() {
  using OnLoad = bool (*)(void*, uint64_t, uint64_t, const char* const*);
  const auto onLoad = reinterpret_cast<OnLoad>(dlsym(RTLD_DEFAULT, "OnLoad"));
  if (onLoad == nullptr || !onLoad(hsa().table(), 1, 0, nullptr))
    std::abort();
}

// What HIP does: unload at exit, from a handler registered before HSA was started.
uint64_t loaded = 0;
void unloadAtExit() {
  if (loaded != 0)
    hsa().unload(loaded);
}

int waitFor(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

// Signals itself: SIGUSR1 must leave it alive with a profile, SIGTERM must end it.
int waitForSignal() {
  kill(getpid(), SIGUSR1);
  device_coverage_status_t status = {};
  status.size = sizeof status;
  do {
    usleep(1000);
    device_coverage_status(&status);
  } while (status.files_written == 0);
  hsa().count(loaded, 0, 4);
  kill(getpid(), SIGTERM);
  for (;;)
    pause();
}

int childThatWaitsForSignal() {
  const pid_t child = fork();
  if (child == 0)
    for (;;)
      pause();
  kill(child, SIGTERM);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM ? kStatus : 1;
}

} // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "without-hsa") {
    if (device_coverage_flush() != DEVICE_COVERAGE_INACTIVE)
      return 1;
    return kStatus;
  }
  if (mode == "fork-before-hsa") {
    const pid_t child = fork();
    if (child != 0)
      return waitFor(child);
  }
  setenv("DEVICE_COVERAGE_SAVE_CODE_OBJECTS", "0", 1); // the ELF of this program is in memory
  static const std::vector<uint8_t> elf = deviceElf("exact");
  std::atexit(unloadAtExit);
  startHsa();
  loaded = hsa().load(elf);
  hsa().count(loaded, 0, 3);
  if (mode == "fork-after-hsa") {
    const pid_t child = fork();
    if (child == 0) {
      hsa().count(loaded, 0, 100); // the parent's device would not know of this
      std::exit(device_coverage_flush() == DEVICE_COVERAGE_INACTIVE ? kStatus : 1);
    }
    return waitFor(child);
  }
  if (mode == "change-folder" && chdir("/") != 0)
    return 1;
  if (mode == "quick-exit")
    std::quick_exit(kStatus);
  if (mode == "_exit-after-flush") {
    device_coverage_flush();
    _exit(kStatus);
  }
  if (mode == "wait-for-signal")
    return waitForSignal();
  if (mode == "fork-and-wait-for-signal")
    return childThatWaitsForSignal();
  if (mode == "count-late")
    std::atexit([] { hsa().count(loaded, 0, 4); }); // runs before the drain
  return kStatus;
}
