// The part of HSA's binary interface that the drain uses, declared here because consumers may have
// ROCm headers anywhere or nowhere. tests/drain compares it with the real headers.
//
// The core table has only ever grown at its end, and its version's minor_id is its size in bytes.
// Major versions: 1 of both tables up to ROCr 6.0, 3 of the API table and 2 of the core table
// from 6.1 on, with the same functions at the same places.
#pragma once

#include <cstddef>
#include <cstdint>

namespace device_coverage {

using HsaStatus = uint32_t;
constexpr HsaStatus kHsaSuccess = 0;
constexpr HsaStatus kHsaErrorOutOfResources = 0x1008;
constexpr HsaStatus kHsaErrorNotInitialized = 0x100b;

struct HsaAgent {
  uint64_t handle;
};
struct HsaExecutable {
  uint64_t handle;
};
struct HsaLoadedCodeObject {
  uint64_t handle;
};

constexpr uint32_t kHsaAgentInfoDevice = 17;
constexpr uint32_t kHsaAgentInfoPciBusDeviceFunction = 0xa006; // bus << 8 | device << 3 | function
constexpr uint32_t kHsaAgentInfoPciDomain = 0xa00f;
constexpr uint32_t kHsaDeviceTypeGpu = 1;
constexpr uint16_t kHsaExtensionAmdLoader = 0x201;
constexpr uint32_t kHsaStorageTypeMemory = 2;

struct HsaSegment {
  HsaAgent agent;
  HsaExecutable executable;
  uint32_t storageType;
  const void* storageBase;
  size_t storageSize;
  size_t storageOffset;
  const void* segmentBase;
  size_t segmentSize;
};
static_assert(sizeof(HsaSegment) == 64 && offsetof(HsaSegment, storageBase) == 24);

// What is asked of a loaded code object.
enum HsaLoadedCodeObjectInfo : uint32_t {
  kHsaLoadedAgent = 3,
  kHsaLoadedStorageType = 4,
  kHsaLoadedStorageBase = 5,
  kHsaLoadedStorageSize = 6,
  kHsaLoadedBase = 9,
  kHsaLoadedSize = 10,
};

struct HsaTableVersion {
  uint32_t majorId;
  uint32_t minorId;
  uint32_t stepId;
  uint32_t reserved;
};

// Positions in the core table, counted in functions.
enum HsaCoreSlot : size_t {
  kHsaSlotShutDown = 1,
  kHsaSlotAgentGetInfo = 6,
  kHsaSlotQueueCreate = 7,
  kHsaSlotMemoryCopy = 35,
  kHsaSlotExecutableDestroy = 84,
  kHsaSlotExecutableFreeze = 86,
  kHsaSlotGetMajorExtensionTable = 98,
};

struct HsaCoreTable {
  HsaTableVersion version;
  void* functions[kHsaSlotGetMajorExtensionTable + 1]; // at least these
};

struct HsaApiTable {
  HsaTableVersion version;
  HsaCoreTable* core;
};

constexpr uint32_t kHsaOldestMajor = 1;
constexpr uint32_t kHsaNewestApiMajor = 3;
constexpr uint32_t kHsaNewestCoreMajor = 2;

using HsaShutDown = HsaStatus (*)();
using HsaAgentGetInfo = HsaStatus (*)(HsaAgent agent, uint32_t attribute, void* value);
// The queue and its callback are only passed on.
using HsaQueueCreate = HsaStatus (*)(HsaAgent agent, uint32_t size, uint32_t type, void* callback,
                                     void* data, uint32_t privateSize, uint32_t groupSize,
                                     void** queue);
using HsaMemoryCopy = HsaStatus (*)(void* destination, const void* source, size_t size);
using HsaExecutableDestroy = HsaStatus (*)(HsaExecutable executable);
using HsaExecutableFreeze = HsaStatus (*)(HsaExecutable executable, const char* options);
using HsaGetMajorExtensionTable = HsaStatus (*)(uint16_t extension, uint16_t major, size_t size,
                                                void* table);

using HsaVisitLoadedCodeObject = HsaStatus (*)(HsaExecutable executable, HsaLoadedCodeObject object,
                                               void* data);

// Version 1.01 of the loader extension's table; the last two are null in a runtime of version 1.00.
struct HsaLoaderTable {
  void* queryHostAddress;
  HsaStatus (*querySegmentDescriptors)(HsaSegment* segments, size_t* count);
  void* queryExecutable;
  HsaStatus (*iterateLoadedCodeObjects)(HsaExecutable executable, HsaVisitLoadedCodeObject visit,
                                        void* data);
  HsaStatus (*loadedCodeObjectInfo)(HsaLoadedCodeObject object, uint32_t attribute, void* value);
};

} // namespace device_coverage
