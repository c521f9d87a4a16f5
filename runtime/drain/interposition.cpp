// The fallback where HSA does not load its tools: with rocprofiler-register it ignores
// HSA_TOOLS_LIB once another tool registers. The drain then stands in front of three of HSA's
// functions by their symbols.
//
// It works only where the program finds the drain's symbols first: preloaded, or linked ahead of
// HSA. While HSA has loaded the drain, these functions only pass calls on: the hooks in its table
// do the work.
#include "lifecycle.h"
#include "loaded_library.h"

#include <dlfcn.h>
#include <pthread.h>

namespace device_coverage {
namespace {

constexpr const char kHsaLibrary[] = "libhsa-runtime64.so";

struct Symbol {
  HsaCoreSlot slot;
  const char* name;
};

constexpr Symbol kSymbols[] = {
    {kHsaSlotShutDown, "hsa_shut_down"},
    {kHsaSlotAgentGetInfo, "hsa_agent_get_info"},
    {kHsaSlotMemoryCopy, "hsa_memory_copy"},
    {kHsaSlotExecutableDestroy, "hsa_executable_destroy"},
    {kHsaSlotExecutableFreeze, "hsa_executable_freeze"},
    {kHsaSlotGetMajorExtensionTable, "hsa_system_get_major_extension_table"},
};

pthread_once_t looked = PTHREAD_ONCE_INIT;
bool found = false;
HsaCoreTable originals; // HSA's functions, in the form in which it hands them to its tools

void lookForHsa() {
  void* library = openLoadedLibrary(kHsaLibrary); // kept open: its functions are called
  found = library != nullptr;
  for (const Symbol& symbol : kSymbols) {
    originals.functions[symbol.slot] = found ? dlsym(library, symbol.name) : nullptr;
    found = found && originals.functions[symbol.slot] != nullptr;
  }
  originals.version = {kHsaOldestMajor, sizeof originals, 0, 0};
}

// Null when HSA is not there or lacks one of the functions.
template <class Function>
Function original(HsaCoreSlot slot) {
  pthread_once(&looked, lookForHsa);
  return found ? reinterpret_cast<Function>(originals.functions[slot]) : nullptr;
}

// Whether the drain has to do what the hooks of a tool would. HSA loads its tools before it loads
// code, so it is known when the first code is.
bool isFallback() {
  pthread_once(&looked, lookForHsa);
  return found && attachInPlaceOfTool(originals);
}

} // namespace
} // namespace device_coverage

namespace dc = device_coverage;

#define DEVICE_COVERAGE_INTERPOSED extern "C" __attribute__((visibility("default")))

DEVICE_COVERAGE_INTERPOSED dc::HsaStatus hsa_executable_freeze(dc::HsaExecutable executable,
                                                               const char* options) {
  const auto freeze = dc::original<dc::HsaExecutableFreeze>(dc::kHsaSlotExecutableFreeze);
  if (dc::isFallback())
    return dc::drain().freeze(executable, options);
  return freeze == nullptr ? dc::kHsaErrorNotInitialized : freeze(executable, options);
}

DEVICE_COVERAGE_INTERPOSED dc::HsaStatus hsa_executable_destroy(dc::HsaExecutable executable) {
  const auto destroy = dc::original<dc::HsaExecutableDestroy>(dc::kHsaSlotExecutableDestroy);
  if (dc::isAttachedInPlaceOfTool())
    return dc::drain().destroy(executable);
  return destroy == nullptr ? dc::kHsaErrorNotInitialized : destroy(executable);
}

DEVICE_COVERAGE_INTERPOSED dc::HsaStatus hsa_shut_down() {
  const auto shutDown = dc::original<dc::HsaShutDown>(dc::kHsaSlotShutDown);
  if (dc::isAttachedInPlaceOfTool())
    return dc::drain().shutDown();
  return shutDown == nullptr ? dc::kHsaErrorNotInitialized : shutDown();
}
