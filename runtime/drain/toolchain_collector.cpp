// The toolchain's own collector, libclang_rt.profile_rocm from LLVM 23 on, reads the same counters
// and writes them under the same names. Exactly one of the two may drain.
//
// Clang names that library behind everything else on a link line, and it is taken for the symbols
// below: the driver asks for one of them, registration code of relocatable device code for others,
// and the host's profile runtime calls the collecting one if it is there. The drain defines them
// all, doing nothing, so a program that links the drain does not get the other collector. (Host
// code that does not link it brings runtime/host/offload_registration.c.)
#include "toolchain_collector.h"

#include <dlfcn.h>

#define DEVICE_COVERAGE_STAND_IN extern "C" __attribute__((visibility("default"))) int

DEVICE_COVERAGE_STAND_IN __llvm_profile_hip_collect_device_data() {
  return 0;
}
DEVICE_COVERAGE_STAND_IN __llvm_profile_offload_register_dynamic_module() {
  return 0;
}
DEVICE_COVERAGE_STAND_IN __llvm_profile_offload_unregister_dynamic_module() {
  return 0;
}
DEVICE_COVERAGE_STAND_IN __llvm_profile_offload_register_shadow_variable() {
  return 0;
}
DEVICE_COVERAGE_STAND_IN __llvm_profile_offload_register_section_shadow_variable() {
  return 0;
}

namespace device_coverage {
namespace {

// The library or program that an address belongs to.
const void* objectOf(const void* address) {
  Dl_info object = {};
  return dladdr(address, &object) != 0 ? object.dli_fbase : nullptr;
}

const char anAddressOfTheDrain = 0;

} // namespace

// A program that got the collector nevertheless, by an object of its own or ahead of the drain,
// exports it: the linker does so for what a library on the link line defines too.
bool isToolchainCollectorLinked() {
  const void* collect = dlsym(RTLD_DEFAULT, "__llvm_profile_hip_collect_device_data");
  return collect != nullptr && objectOf(collect) != objectOf(&anAddressOfTheDrain);
}

} // namespace device_coverage
