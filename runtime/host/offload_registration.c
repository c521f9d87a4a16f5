// Functions that instrumented HIP host code of LLVM 23 and later calls to tell the toolchain's
// collector of device profiles where each unit's counters are. The drain finds these in the loaded
// code objects and needs none of it. Defined here, in each executable and library, they do two
// things: host code links where the toolchain brings no collector, and where it brings one the
// linker has no reason to take it, so that nothing is drained twice.
//
// Weak, since a link may name this object more than once; hidden, so that nothing is exported. What
// the callers pass is ignored, so the definitions do not list it.
#define IGNORED_REGISTRATION(name)                                                                 \
  __attribute__((weak, visibility("hidden"))) void name(void) {}

IGNORED_REGISTRATION(__llvm_profile_offload_register_shadow_variable)
IGNORED_REGISTRATION(__llvm_profile_offload_register_section_shadow_variable)
IGNORED_REGISTRATION(__llvm_profile_offload_register_dynamic_module)
IGNORED_REGISTRATION(__llvm_profile_offload_unregister_dynamic_module)
