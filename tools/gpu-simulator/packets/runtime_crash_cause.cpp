#include "packets/runtime_crash_cause.h"

#include "packets/kernel_metadata.h"
#include "packets/kernel_name.h"

namespace gpusim {

std::string causeOfRuntimeCrash(const GuestMemory& memory, uint64_t kernelObject) {
  // HIP takes the argument for OpenCL's device-side enqueue and starts a scheduler for it, with a
  // queue that it never made.
  constexpr const char* kArgument = "hidden_completion_action";
  if (!kernelTakesArgument(memory, kernelObject, kArgument))
    return {};
  const std::string name = kernelName(memory, kernelObject);
  return "it submitted the kernel `" + name + "`, which declares the argument " + kArgument +
         "; HIP 5.2 takes such a kernel for one that enqueues kernels itself, while newer clangs "
         "declare the argument for all kernels with virtual or other indirect calls, and at -O0; "
         "compile with -O1 or above and `-Xarch_device -mllvm=-forceattrs-csv-path=<file>` where "
         "<file> has the "
         "line `" +
         name + ",amdgpu-no-completion-action=1`, or use HIP 5.7 or later";
}

} // namespace gpusim
