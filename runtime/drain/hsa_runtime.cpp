#include "hsa_runtime.h"

namespace device_coverage {
namespace {

constexpr unsigned kMostQueries = 16;

bool isBetween(uint32_t version, uint32_t oldest, uint32_t newest) {
  return version >= oldest && version <= newest;
}

template <class Function>
Function at(const HsaCoreTable& table, HsaCoreSlot slot) {
  return reinterpret_cast<Function>(table.functions[slot]);
}

template <class Function>
void put(HsaCoreTable& table, HsaCoreSlot slot, Function function) {
  table.functions[slot] = reinterpret_cast<void*>(function);
}

} // namespace

bool HsaRuntime::attach(HsaApiTable* table, const Hooks& hooks, Reason& reason) {
  if (table == nullptr || table->core == nullptr) {
    reason.append("HSA passed no API table");
    return false;
  }
  HsaCoreTable& core = *table->core;
  if (!isBetween(table->version.majorId, kHsaOldestMajor, kHsaNewestApiMajor) ||
      !isBetween(core.version.majorId, kHsaOldestMajor, kHsaNewestCoreMajor) ||
      core.version.minorId < sizeof(HsaCoreTable)) {
    reason.format(
        "HSA's API table has version %u and a core table of version %u with %u bytes, not "
        "a version up to %u with one up to %u of at least %zu bytes",
        table->version.majorId, core.version.majorId, core.version.minorId, kHsaNewestApiMajor,
        kHsaNewestCoreMajor, sizeof(HsaCoreTable));
    return false;
  }
  original_.shutDown = at<HsaShutDown>(core, kHsaSlotShutDown);
  original_.createQueue = at<HsaQueueCreate>(core, kHsaSlotQueueCreate);
  original_.freeze = at<HsaExecutableFreeze>(core, kHsaSlotExecutableFreeze);
  original_.destroy = at<HsaExecutableDestroy>(core, kHsaSlotExecutableDestroy);
  agentInfo_ = at<HsaAgentGetInfo>(core, kHsaSlotAgentGetInfo);
  copy_ = at<HsaMemoryCopy>(core, kHsaSlotMemoryCopy);
  extensionTable_ = at<HsaGetMajorExtensionTable>(core, kHsaSlotGetMajorExtensionTable);
  loader_ = {};
  put(core, kHsaSlotShutDown, hooks.shutDown);
  put(core, kHsaSlotQueueCreate, hooks.createQueue);
  put(core, kHsaSlotExecutableFreeze, hooks.freeze);
  put(core, kHsaSlotExecutableDestroy, hooks.destroy);
  return true;
}

HsaStatus HsaRuntime::segments(const HsaExecutable* only, Array<HsaSegment>& segments) {
  const HsaStatus status = findLoader();
  if (status != kHsaSuccess)
    return status;
  const bool asksOne = loader_.iterateLoadedCodeObjects != nullptr &&
                       loader_.loadedCodeObjectInfo != nullptr && only != nullptr;
  return asksOne ? segmentsOf(*only, segments) : allSegments(segments);
}

// Asked for only when needed: while HSA calls OnLoad it is not ready.
HsaStatus HsaRuntime::findLoader() {
  if (loader_.querySegmentDescriptors != nullptr)
    return kHsaSuccess;
  return extensionTable_(kHsaExtensionAmdLoader, 1, sizeof loader_, &loader_);
}

HsaStatus HsaRuntime::allSegments(Array<HsaSegment>& segments) {
  HsaStatus status = kHsaSuccess;
  // Another thread may load or unload between the question for the number and that for the
  // segments.
  for (unsigned i = 0; i < kMostQueries; ++i) {
    size_t count = 0;
    segments.clear();
    status = loader_.querySegmentDescriptors(nullptr, &count);
    if (status != kHsaSuccess || count == 0)
      return status;
    if (!segments.resize(count))
      break;
    status = loader_.querySegmentDescriptors(segments.begin(), &count);
    if (status == kHsaSuccess)
      return status;
  }
  segments.clear();
  return status;
}

HsaStatus HsaRuntime::segmentsOf(HsaExecutable executable, Array<HsaSegment>& segments) {
  Array<HsaLoadedCodeObject> objects;
  const auto keep = [](HsaExecutable, HsaLoadedCodeObject object, void* kept) {
    return static_cast<Array<HsaLoadedCodeObject>*>(kept)->push(object) ? kHsaSuccess
                                                                        : kHsaErrorOutOfResources;
  };
  const HsaStatus status = loader_.iterateLoadedCodeObjects(executable, keep, &objects);
  for (const HsaLoadedCodeObject object : objects) {
    HsaSegment segment = {};
    segment.executable = executable;
    if (describe(object, segment) && !segments.push(segment))
      return kHsaErrorOutOfResources;
  }
  return status;
}

// False for one that belongs to no agent.
bool HsaRuntime::describe(HsaLoadedCodeObject object, HsaSegment& segment) const {
  const auto get = [&](HsaLoadedCodeObjectInfo attribute, void* value) {
    return loader_.loadedCodeObjectInfo(object, attribute, value) == kHsaSuccess;
  };
  return get(kHsaLoadedAgent, &segment.agent) && get(kHsaLoadedStorageType, &segment.storageType) &&
         get(kHsaLoadedStorageBase, &segment.storageBase) &&
         get(kHsaLoadedStorageSize, &segment.storageSize) &&
         get(kHsaLoadedBase, &segment.segmentBase) && get(kHsaLoadedSize, &segment.segmentSize);
}

bool HsaRuntime::isGpu(HsaAgent agent) const {
  uint32_t type = 0;
  return agent.handle != 0 && agentInfo_(agent, kHsaAgentInfoDevice, &type) == kHsaSuccess &&
         type == kHsaDeviceTypeGpu;
}

bool HsaRuntime::pciAddress(HsaAgent agent, PciAddress& address) const {
  uint32_t place = 0;
  if (agentInfo_(agent, kHsaAgentInfoPciBusDeviceFunction, &place) != kHsaSuccess)
    return false;
  address = PciAddress{0, place >> 8 & 0xff, place >> 3 & 0x1f};
  // Old runtimes know no domain; there is one then.
  agentInfo_(agent, kHsaAgentInfoPciDomain, &address.domain);
  return true;
}

} // namespace device_coverage
