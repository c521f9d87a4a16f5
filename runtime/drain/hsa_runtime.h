// The HSA runtime as the drain reaches it: through the functions that were in its API table when it
// loaded the drain as a tool. Nothing here starts HSA.
#pragma once

#include "hip.h"
#include "hsa_abi.h"
#include "memory.h"
#include "text.h"

namespace device_coverage {

class HsaRuntime {
public:
  struct Hooks {
    HsaShutDown shutDown;
    HsaQueueCreate createQueue;
    HsaExecutableFreeze freeze;
    HsaExecutableDestroy destroy;
  };

  // Takes the functions out of the table and puts the hooks in. False with a reason, and the table
  // untouched, when it is not a table of a known version.
  bool attach(HsaApiTable* table, const Hooks& hooks, Reason& reason);

  bool attached() const { return copy_ != nullptr; }

  // What the hooks replaced.
  HsaStatus shutDown() const { return original_.shutDown(); }
  HsaQueueCreate createQueue() const { return original_.createQueue; }
  HsaStatus freeze(HsaExecutable executable, const char* options) const {
    return original_.freeze(executable, options);
  }
  HsaStatus destroy(HsaExecutable executable) const { return original_.destroy(executable); }

  // All loaded segments of all executables, or just of `only`, which takes no longer the more are
  // loaded. The runtime must not be asked from inside its loader.
  HsaStatus segments(const HsaExecutable* only, Array<HsaSegment>& segments);

  bool isGpu(HsaAgent agent) const;

  // False when the runtime does not tell.
  bool pciAddress(HsaAgent agent, PciAddress& address) const;

  // Copies between host and device memory, whole before it returns.
  HsaStatus copy(void* destination, const void* source, size_t size) const {
    return copy_(destination, source, size);
  }

private:
  HsaStatus findLoader();
  HsaStatus allSegments(Array<HsaSegment>& segments);
  HsaStatus segmentsOf(HsaExecutable executable, Array<HsaSegment>& segments);
  bool describe(HsaLoadedCodeObject object, HsaSegment& segment) const;

  Hooks original_ = {};
  HsaAgentGetInfo agentInfo_ = nullptr;
  HsaMemoryCopy copy_ = nullptr;
  HsaGetMajorExtensionTable extensionTable_ = nullptr;
  HsaLoaderTable loader_ = {};
};

} // namespace device_coverage
