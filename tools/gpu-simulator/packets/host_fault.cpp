#include "packets/host_fault.h"

#include <atomic>
#include <mutex>

#include <csignal>
#include <ucontext.h>

namespace gpusim {
namespace {

/// A signal handler must not be the first to touch dynamically allocated thread storage.
[[gnu::tls_model("initial-exec")]] thread_local HostFaultGuard* current = nullptr;

std::atomic<ProgramFaultObserver> programFaultObserver{nullptr};
[[gnu::tls_model("initial-exec")]] thread_local bool isObserving = false;

struct sigaction previousSegv;
struct sigaction previousBus;

/// As if this handler were not there.
void passOn(int signal, siginfo_t* information, void* context) {
  const struct sigaction& previous = signal == SIGSEGV ? previousSegv : previousBus;
  if ((previous.sa_flags & SA_SIGINFO) != 0)
    return previous.sa_sigaction(signal, information, context);
  if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)
    return previous.sa_handler(signal);
  // The access is tried again and then ends the process.
  sigaction(signal, &previous, nullptr);
}

/// Where the code was that faulted; null where the layout of `context` is not known.
const void* faultingCode([[maybe_unused]] void* context) {
#if defined(__x86_64__)
  const auto* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  return reinterpret_cast<const void*>(registers[REG_RIP]);
#else
  return nullptr;
#endif
}

/// An observer that faults itself is not called again.
void observe(void* context) {
  const ProgramFaultObserver observer = programFaultObserver.load(std::memory_order_acquire);
  if (observer == nullptr || isObserving)
    return;
  isObserving = true;
  observer(faultingCode(context));
  isObserving = false;
}

void handle(int signal, siginfo_t* information, void* context) {
  HostFaultGuard* guard = current;
  if (guard == nullptr) {
    observe(context);
    return passOn(signal, information, context);
  }
  guard->fault.address = reinterpret_cast<uint64_t>(information->si_addr);
  guard->fault.signal = signal;
  siglongjmp(guard->place, 1);
}

} // namespace

void installHostFaultHandler() {
  static std::once_flag installed;
  std::call_once(installed, [] {
    struct sigaction action {};
    action.sa_sigaction = handle;
    // The handler is left by a jump, which must not leave the signal blocked.
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &previousSegv);
    sigaction(SIGBUS, &action, &previousBus);
  });
}

void setProgramFaultObserver(ProgramFaultObserver observer) {
  programFaultObserver.store(observer, std::memory_order_release);
}

HostFaultGuard::HostFaultGuard() {
  current = this;
}

HostFaultGuard::~HostFaultGuard() {
  current = nullptr;
}

} // namespace gpusim
