// Driver buffers: allocation, and mapping into the address spaces of GPUs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <vector>

#include "driver/gpu.h"
#include "driver/kfd_abi.h"
#include "driver/storage.h"

namespace gpusim {

class MemoryTable {
public:
  MemoryTable(BackingStore& store, StorageTable& storages,
              std::span<const std::unique_ptr<Gpu>> gpus)
      : store_(store), storages_(storages), gpus_(gpus) {}

  /// The driver's requests; each returns 0 or a negated errno.
  int allocate(kfd_ioctl_alloc_memory_of_gpu_args& arguments);
  int free(uint64_t handle);
  int mapToGpus(kfd_ioctl_map_memory_to_gpu_args& arguments);
  int unmapFromGpus(kfd_ioctl_unmap_memory_from_gpu_args& arguments);

  /// Where the bytes of a buffer lie; -EINVAL for user memory and doorbells, which stay private.
  int share(uint64_t handle, SharedStorage& shared);

  /// A buffer of this process that shows the bytes of another. 0 or a negated errno.
  int import(const SharedStorage& shared, uint64_t address, uint64_t& handle, uint64_t& mapOffset);

  /// The GPU called `gpuId`, or null.
  Gpu* findGpu(uint32_t gpuId) const;

  /// Bytes of local memory still free on `gpu`.
  static uint64_t available(const Gpu& gpu);

private:
  struct Buffer {
    Gpu* owner = nullptr;
    uint64_t address = 0; ///< GPU virtual address
    uint64_t size = 0;    ///< bytes of storage
    uint32_t flags = 0;   ///< KFD_IOC_ALLOC_MEM_FLAGS_*
    std::shared_ptr<Storage> storage; ///< null: user memory, doorbells
    std::byte* host = nullptr;
    bool charged = false; ///< counted as local memory of its owner
    std::set<Gpu*> mappedTo;
  };

  int placeBuffer(Buffer& buffer, kfd_ioctl_alloc_memory_of_gpu_args& arguments);
  void mapBuffer(Buffer& buffer, Gpu& gpu);
  void unmapBuffer(Buffer& buffer, Gpu& gpu);

  /// The GPUs of a user's array of `count` IDs; `known` is false when one of them does not exist.
  std::vector<Gpu*> gpusOf(uint64_t idArray, uint32_t count, bool& known) const;

  BackingStore& store_;
  StorageTable& storages_;
  std::span<const std::unique_ptr<Gpu>> gpus_;
  std::mutex mutex_;
  std::map<uint64_t, Buffer> buffers_; ///< by handle
  uint64_t nextHandle_ = 1;
};

} // namespace gpusim
