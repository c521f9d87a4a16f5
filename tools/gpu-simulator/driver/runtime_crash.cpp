#include "driver/runtime_crash.h"

#include <string_view>

#include <dlfcn.h>

#include "driver/log.h"
#include "driver/machine.h"
#include "packets/host_fault.h"

namespace gpusim {
namespace {

/// Runs in a signal handler. Code of HIP's library itself holds no lock of the C library or of
/// ours.
void explain(const void* pc) {
  Dl_info object{};
  if (pc == nullptr || dladdr(pc, &object) == 0 || object.dli_fname == nullptr)
    return;
  std::string_view file = object.dli_fname;
  file.remove_prefix(file.rfind('/') + 1);
  Machine* machine = Machine::existing();
  if (machine == nullptr || !file.starts_with("libamdhip64.so"))
    return;
  if (const std::string cause = machine->queues().causeOfRuntimeCrash(); !cause.empty())
    logLine(std::string(file) + " crashes: " + cause);
}

} // namespace

void explainRuntimeCrashes() {
  setProgramFaultObserver(explain);
}

} // namespace gpusim
