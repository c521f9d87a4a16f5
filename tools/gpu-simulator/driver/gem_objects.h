// Buffer objects of render nodes: memory that came in as a DMA buffer.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include <libdrm/amdgpu_drm.h>

#include "driver/gpu.h"
#include "driver/storage.h"

namespace gpusim {

/// Thread-safe. Each request returns 0 or a negated errno. Handles are valid on every render node.
class GemObjects {
public:
  explicit GemObjects(StorageTable& storages) : storages_(storages) {}

  /// PRIME_FD_TO_HANDLE.
  int open(drm_prime_handle& arguments);

  /// GEM_CLOSE; takes the object's mappings with it.
  int close(uint32_t handle);

  /// GEM_MMAP: where mmap() finds the object.
  int mapOffset(drm_amdgpu_gem_mmap& arguments);

  /// GEM_VA: maps the object into the address space of `gpu`, or takes it out.
  int changeMapping(Gpu& gpu, const drm_amdgpu_gem_va& arguments);

  /// GEM_METADATA: kept with the memory for whoever asks, never read here.
  int metadata(drm_amdgpu_gem_metadata& arguments);

  /// GEM_OP: size and placement.
  int operation(const drm_amdgpu_gem_op& arguments);

private:
  struct Mapping {
    Gpu* gpu;
    uint64_t address;
    uint64_t size;
  };
  struct Object {
    std::shared_ptr<Storage> storage;
    uint32_t flags = 0; ///< KFD_IOC_ALLOC_MEM_FLAGS_*
    std::vector<Mapping> mappings;
  };

  Object* findLocked(uint32_t handle);
  static int mapLocked(Object& object, Gpu& gpu, const drm_amdgpu_gem_va& arguments);
  static int unmapLocked(Object& object, Gpu& gpu, const drm_amdgpu_gem_va& arguments);

  StorageTable& storages_;
  std::mutex mutex_;
  std::map<uint32_t, Object> objects_;
  uint32_t nextHandle_ = 1;
};

} // namespace gpusim
