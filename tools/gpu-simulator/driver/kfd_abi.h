// The kernel driver's interface as far as <linux/kfd_ioctl.h> of the build machine may lack it.
//
// Requests are told apart by their number alone and argument blocks are copied by the size that
// the caller encoded, so programs built against older and newer headers are both served.
#pragma once

#include <cstdint>

#include <linux/kfd_ioctl.h>

namespace gpusim::kfd {

/// What GET_VERSION reports. 1.14 brought event ages, 1.17 is what ROCr 7 looks for; older ROCr
/// accepts it.
constexpr uint32_t kVersionMajor = 1;
constexpr uint32_t kVersionMinor = 17;

constexpr uint32_t kExportDmaBuffer = 0x24; ///< request number of EXPORT_DMABUF
constexpr uint32_t kRuntimeEnable = 0x25; ///< request number of RUNTIME_ENABLE
constexpr uint32_t kDebugTrap = 0x26;     ///< request number of DBG_TRAP
constexpr uint32_t kIpcImport = 0x80;     ///< outside the upstream driver, as are the next four
constexpr uint32_t kIpcExport = 0x81;
constexpr uint32_t kOldDebugTrap = 0x82;
constexpr uint32_t kCrossMemoryCopy = 0x83;
constexpr uint32_t kStreamingMonitor = 0x84;

constexpr uint32_t kQueueSdmaByEngine = 4; ///< queue type of SDMA queues on a chosen engine

/// CREATE_QUEUE with the fields that came after 1.11.
struct CreateQueue {
  kfd_ioctl_create_queue_args base;
  uint32_t sdmaEngineId;
  uint32_t padding;
};

struct ExportDmaBuffer {
  uint64_t handle;
  uint32_t flags; ///< O_CLOEXEC
  uint32_t descriptor;
};

struct IpcExport {
  uint64_t handle;
  uint32_t shareHandle[4];
  uint32_t gpuId;
  uint32_t flags;
};

struct IpcImport {
  uint64_t handle;
  uint64_t address;
  uint64_t mapOffset;
  uint32_t shareHandle[4];
  uint32_t gpuId;
  uint32_t flags; ///< KFD_IOC_ALLOC_MEM_FLAGS_* of the exporter, for the caller
};

struct RuntimeEnable {
  uint64_t debugInformation;
  uint32_t mode; ///< bit 0: enable
  uint32_t capabilities;
};

/// One event of WAIT_EVENTS. Signal events overlay `age` on the memory exception's first bytes.
struct EventData {
  union {
    kfd_hsa_memory_exception_data memoryException;
    kfd_hsa_hw_exception_data hardwareException;
    uint64_t age; ///< the last age the waiter knows; written back
  };
  uint64_t extension;
  uint32_t eventId;
  uint32_t padding;
};
static_assert(sizeof(EventData) == sizeof(kfd_event_data));

/// The start of a queue's context-save area, through which exceptions reach a runtime that called
/// RUNTIME_ENABLE.
struct ContextSaveHeader {
  uint32_t controlStackOffset;
  uint32_t controlStackSize;
  uint32_t waveStateOffset;
  uint32_t waveStateSize;
  uint32_t debugOffset;
  uint32_t debugSize;
  uint64_t errorReason; ///< address of the 64-bit word that takes exception bits
  uint32_t errorEventId;
  uint32_t reserved;
};
static_assert(sizeof(ContextSaveHeader) == 40);

} // namespace gpusim::kfd
