#include "packets/hardware_queue.h"

#include <chrono>
#include <cstdlib>

#include <csignal>
#include <sched.h>

#include "driver/clock.h"
#include "driver/log.h"
#include "packets/host_fault.h"

namespace gpusim {
namespace {

/// Looks at the ring this often before the thread goes to sleep: bursts of packets are common.
constexpr int kLooksBeforeSleep = 20;
constexpr int kYieldsBeforePolling = 64;
constexpr std::chrono::microseconds kShortestPoll{20};
constexpr std::chrono::microseconds kLongestPoll{320};
constexpr uint64_t kTimeToTakeUpFaults = 5 * kHostClockFrequency;

} // namespace

void HardwareQueue::start() {
  // The program's signal handlers must run on the program's threads.
  sigset_t blocked;
  sigset_t before;
  sigfillset(&blocked);
  sigdelset(&blocked, SIGSEGV);
  sigdelset(&blocked, SIGBUS);
  installHostFaultHandler();
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
  thread_ = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_setname_np(thread_.native_handle(), "amdgpu-queue");
  monitor_.add(*this);
}

void HardwareQueue::stop() {
  monitor_.remove(*this);
  {
    const std::lock_guard lock(mutex_);
    stopping_.store(true, std::memory_order_release);
  }
  wake_.notify_all();
  if (thread_.joinable())
    thread_.join();
}

void HardwareQueue::setRunnable(bool runnable) {
  {
    const std::lock_guard lock(mutex_);
    runnable_.store(runnable, std::memory_order_release);
  }
  wake_.notify_all();
}

void HardwareQueue::doorbell() {
  if (!asleep_.load(std::memory_order_acquire) || !canWork())
    return;
  const std::lock_guard lock(mutex_);
  wake_.notify_all();
}

bool HardwareQueue::canWork() const {
  return runnable_.load(std::memory_order_acquire) && !halted_.load(std::memory_order_acquire) &&
         !isEvicted() && hasWork();
}

void HardwareQueue::run() {
  int looks = 0;
  while (!stopping()) {
    if (canWork()) {
      looks = 0;
      if (const auto lost = runGuarded([this] { processPacket(); }))
        reportLostMemory(*lost);
      services_.signalsMayHaveChanged();
    } else if (++looks < kLooksBeforeSleep) {
      sched_yield();
    } else {
      looks = 0;
      sleepUntilDoorbell();
    }
  }
}

void HardwareQueue::reportLostMemory(const HostFault& lost) {
  const auto address = gpu_.memory.addressOf(lost.address);
  if (!address) {
    logLine("internal error: " + title() + " read or wrote " + hex(lost.address) +
            ", which is no memory of its GPU; the process is aborted; please report this");
    std::abort();
  }
  // Whoever registers a file may cut it; and the machine may have no page for memory of the GPU.
  const char* why = lost.signal == SIGBUS
                        ? ", but there is no page for it: its file ends before, or this machine is "
                          "out of memory"
                        : ", but the program has unmapped it";
  stopWithMemoryFault(
      Fault{.kind = Fault::Kind::MemoryViolation,
            .pc = 0,
            .address = *address,
            .isWrite = false,
            .message = "memory at " + hex(*address) + " is registered with the GPU" + why});
}

void HardwareQueue::stopWithMemoryFault(const Fault& fault) {
  logLine(title() + ": " + fault.message +
          "; the GPU's queues are stopped and a memory fault reported");
  gpu_.queuesAreEvicted.store(true, std::memory_order_release);
  services_.reportMemoryFault(gpu_, fault);
  abortUnlessTakenUp();
}

/// A runtime ends the process, or hands the fault to the program. It may not notice: ROCr
/// before 6.1 polls in the thread that would while the program waits for the same signal, and looks
/// for no faults without interrupts.
void HardwareQueue::abortUnlessTakenUp() {
  const uint64_t deadline = hostClock() + kTimeToTakeUpFaults;
  bool isKnown = false;
  const auto decided = [&] {
    isKnown = services_.memoryFaultsAreKnown();
    return isKnown || hostClock() >= deadline;
  };
  if (!poll(decided) || isKnown)
    return;
  logLine(title() +
          ": the runtime has not taken up the memory fault for 5 s; the process is aborted, as "
          "the runtime does; see the message above");
  std::abort();
}

void HardwareQueue::sleepUntilDoorbell() {
  std::unique_lock lock(mutex_);
  asleep_.store(true, std::memory_order_release);
  wake_.wait(lock, [this] { return stopping() || canWork(); });
  asleep_.store(false, std::memory_order_release);
}

bool HardwareQueue::waitUntil(const std::function<bool()>& condition) const {
  return poll([&] { return isEvicted() || condition(); }) && !isEvicted();
}

bool HardwareQueue::poll(const std::function<bool()>& condition) const {
  auto pause = kShortestPoll;
  for (int attempt = 0; !condition(); ++attempt) {
    if (stopping())
      return false;
    if (attempt < kYieldsBeforePolling) {
      sched_yield();
      continue;
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, kLongestPoll);
  }
  return true;
}

std::string HardwareQueue::title() const {
  return "gpu " + std::to_string(gpu_.index) + " queue " + std::to_string(queueId_);
}

void HardwareQueue::trace(const std::string& what) const {
  if (services_.tracesPackets())
    logLine("trace: " + title() + ": " + what);
}

} // namespace gpusim
