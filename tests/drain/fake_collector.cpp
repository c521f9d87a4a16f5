// Stands for libclang_rt.profile_rocm: taken into a link for the one symbol, and called for the
// other by the host's profile runtime at exit.
#include <cstdlib>
#include <unistd.h>

extern "C" int __llvm_profile_hip_collect_device_data() {
  constexpr char kText[] = "the toolchain's collector collects\n";
  return write(STDERR_FILENO, kText, sizeof kText - 1) < 0 ? 1 : 0;
}

extern "C" void __llvm_profile_offload_register_dynamic_module() {}

namespace {

__attribute__((constructor)) void registerCollecting() {
  std::atexit([] { __llvm_profile_hip_collect_device_data(); });
}

} // namespace
