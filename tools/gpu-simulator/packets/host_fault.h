// Memory that a program registers with a GPU stays its own: it may unmap it while a kernel uses it.
// The access then faults in this process, in a queue's thread, and must end as a GPU's fault
// instead.
#pragma once

#include <csetjmp>
#include <cstdint>
#include <optional>

namespace gpusim {

/// Has SIGSEGV and SIGBUS looked at here first; those outside runGuarded() go on to whoever handled
/// them before. Idempotent.
void installHostFaultHandler();

/// Called in the signal handler when code of the program at `pc` faulted, before the fault goes on.
using ProgramFaultObserver = void (*)(const void* pc);
void setProgramFaultObserver(ProgramFaultObserver observer);

/// An access to memory that is not there.
struct HostFault {
  uint64_t address = 0; ///< in this process
  int signal = 0;       ///< SIGSEGV: no mapping allows it; SIGBUS: no page for the mapping
};

/// Where a fault of the thread that runs guarded returns to.
class HostFaultGuard {
public:
  HostFaultGuard();
  ~HostFaultGuard();
  HostFaultGuard(const HostFaultGuard&) = delete;
  HostFaultGuard& operator=(const HostFaultGuard&) = delete;

  sigjmp_buf place;
  volatile HostFault fault;
};

/// Runs `work`; when it touches memory that is not there, gives it up and returns the access.
/// What `work` holds then stays as it is: it must hold no lock while it touches program memory.
template <typename Work>
std::optional<HostFault> runGuarded(const Work& work) {
  HostFaultGuard guard;
  if (sigsetjmp(guard.place, 0) != 0)
    return HostFault{.address = guard.fault.address, .signal = guard.fault.signal};
  work();
  return std::nullopt;
}

} // namespace gpusim
