// How the drain gets into a process: as a tool of the HSA runtime.
//
// A handler registered by a constructor would run after HIP has destroyed its code objects, and so
// would any ELF destructor; one registered in OnLoad, after HIP's, runs before. OnUnload is no use
// for that: HSA calls it after HIP let go, or never.
#include "lifecycle.h"

#include "message.h"
#include "signals.h"
#include "toolchain_collector.h"

#include <cstdlib>
#include <dlfcn.h>
#include <pthread.h>

namespace device_coverage {
namespace {

constexpr const char kToolsVariable[] = "HSA_TOOLS_LIB";
constexpr const char kSoname[] = "libdevice_coverage.so";

Drain* theDrain = nullptr;
bool handlersRegistered = false;
bool loadedAsTool = false;
pthread_once_t attachedInPlace = PTHREAD_ONCE_INIT;
HsaCoreTable functionsInPlace; // a copy whose hooks nobody calls

HsaStatus freezeHook(HsaExecutable executable, const char* options) {
  return drain().freeze(executable, options);
}
HsaStatus destroyHook(HsaExecutable executable) {
  return drain().destroy(executable);
}
HsaStatus createQueueHook(HsaAgent agent, uint32_t size, uint32_t type, void* callback, void* data,
                          uint32_t privateSize, uint32_t groupSize, void** queue) {
  drain().willCreateQueue(agent);
  return drain().hsa().createQueue()(agent, size, type, callback, data, privateSize, groupSize,
                                     queue);
}
HsaStatus shutDownHook() {
  return drain().shutDown();
}

void atExit() {
  drain().flushAtExit();
}

void inChild() {
  Drain* child = createForever<Drain>();
  if (child == nullptr)
    abort(); // a child that went on would wait for locks of threads it does not have
  releaseSignals();
  theDrain->continueInChild(*child);
  theDrain = child;
}

bool isListed(const char* tools) {
  for (const char* found = std::strstr(tools, kSoname); found != nullptr;
       found = std::strstr(found + 1, kSoname)) {
    const char end = found[sizeof kSoname - 1];
    if (end == '\0' || end == ' ')
      return true;
  }
  return false;
}

// Entries are separated by spaces. The soname has none, the library's path may.
void becomeHsaTool() {
  const char* before = std::getenv(kToolsVariable);
  Path tools(before == nullptr ? "" : before);
  if (isListed(tools.c_str()))
    return;
  if (!tools.empty())
    tools.append(' ');
  tools.append(kSoname);
  if (!tools.complete() || setenv(kToolsVariable, tools.c_str(), 1) != 0)
    warn("HSA_TOOLS_LIB could not be extended by %s; device coverage of this process is not "
         "collected; shorten the variable",
         kSoname);
}

// DEVICE_COVERAGE_DRAIN=0 leaves the collecting to another collector, such as the toolchain's own.
bool isSwitchedOff() {
  const char* wanted = std::getenv("DEVICE_COVERAGE_DRAIN");
  return wanted != nullptr && std::strcmp(wanted, "0") == 0;
}

__attribute__((constructor)) void onLibraryLoaded() {
  theDrain = createForever<Drain>();
  if (isSwitchedOff()) {
    loadedAsTool = true; // calls that come by symbol are passed on too
    tell("DEVICE_COVERAGE_DRAIN is 0; device counters of this process are left to others; unset it "
         "to have them drained");
    return;
  }
  if (theDrain != nullptr)
    becomeHsaTool();
}

void tellWhoCollects() {
  if (isToolchainCollectorLinked())
    warn(
        "the toolchain's own collector is linked into this process too; its profiles repeat the "
        "counts; link the drain ahead of libclang_rt.profile_rocm, or set DEVICE_COVERAGE_DRAIN=0");
  else
    tell("HSA loaded the drain, which alone collects; instrumented code will be found when it is "
         "loaded; nothing is to be done");
}

void registerHandlers() {
  if (handlersRegistered)
    return;
  handlersRegistered = true;
  if (atexit(atExit) != 0 || at_quick_exit(atExit) != 0)
    warn("no exit handler could be registered; no device profile is written at exit; call "
         "device_coverage_flush() before the program ends");
  pthread_atfork(nullptr, nullptr, inChild);
  watchSignals();
}

void attachNow() {
  HsaApiTable table = {{kHsaOldestMajor, sizeof table, 0, 0}, &functionsInPlace};
  if (!drain().attach(&table, {shutDownHook, createQueueHook, freezeHook, destroyHook}))
    return;
  registerHandlers();
  warn(
      "HSA did not load the drain from HSA_TOOLS_LIB, as happens beside a rocprofiler-sdk tool; it "
      "works through symbols, which sees no calls of libraries that find HSA first; set "
      "HSA_TOOLS_DISABLE_REGISTER=1 for the usual way");
}

} // namespace

bool attachInPlaceOfTool(const HsaCoreTable& functions) {
  if (theDrain == nullptr || loadedAsTool)
    return false;
  functionsInPlace = functions;
  pthread_once(&attachedInPlace, attachNow);
  return !loadedAsTool;
}

bool isAttachedInPlaceOfTool() {
  return !loadedAsTool && theDrain != nullptr && theDrain->hsa().attached();
}

Drain& drain() {
  return *theDrain;
}

} // namespace device_coverage

using device_coverage::drain;

// Called by hsa_init, which holds the runtime's lock: no HSA function may be called here.
extern "C" __attribute__((visibility("default"))) bool OnLoad(void* table, uint64_t, uint64_t,
                                                              const char* const*) {
  if (device_coverage::theDrain == nullptr)
    return false;
  const device_coverage::HsaRuntime::Hooks hooks = {
      device_coverage::shutDownHook, device_coverage::createQueueHook, device_coverage::freezeHook,
      device_coverage::destroyHook};
  if (!drain().attach(static_cast<device_coverage::HsaApiTable*>(table), hooks))
    return false;
  device_coverage::loadedAsTool = true;
  device_coverage::registerHandlers();
  device_coverage::tellWhoCollects();
  return true;
}

extern "C" __attribute__((visibility("default"))) void OnUnload() {
  drain().detach();
}
