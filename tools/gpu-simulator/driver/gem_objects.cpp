#include "driver/gem_objects.h"

#include <cerrno>
#include <string>

#include "driver/kfd_abi.h"
#include "driver/log.h"

namespace gpusim {

int GemObjects::open(drm_prime_handle& arguments) {
  const auto shared = readDmaBuffer(arguments.fd);
  if (!shared)
    return -EINVAL;
  auto storage = storages_.open(*shared);
  if (storage == nullptr)
    return -EINVAL;
  const std::lock_guard lock(mutex_);
  arguments.handle = nextHandle_++;
  objects_[arguments.handle] = {
      .storage = std::move(storage), .flags = shared->flags, .mappings = {}};
  return 0;
}

int GemObjects::close(uint32_t handle) {
  const std::lock_guard lock(mutex_);
  const auto found = objects_.find(handle);
  if (found == objects_.end())
    return -EINVAL;
  for (const Mapping& mapping : found->second.mappings)
    mapping.gpu->memory.unmap(mapping.address, mapping.size);
  objects_.erase(found);
  return 0;
}

int GemObjects::mapOffset(drm_amdgpu_gem_mmap& arguments) {
  const std::lock_guard lock(mutex_);
  const Object* object = findLocked(arguments.in.handle);
  if (object == nullptr)
    return -ENOENT;
  arguments.out.addr_ptr = object->storage->mapOffset();
  return 0;
}

int GemObjects::changeMapping(Gpu& gpu, const drm_amdgpu_gem_va& arguments) {
  const std::lock_guard lock(mutex_);
  Object* object = findLocked(arguments.handle);
  if (object == nullptr)
    return -ENOENT;
  switch (arguments.operation) {
  case AMDGPU_VA_OP_MAP:
  case AMDGPU_VA_OP_REPLACE:
    return mapLocked(*object, gpu, arguments);
  case AMDGPU_VA_OP_UNMAP:
    return unmapLocked(*object, gpu, arguments);
  default:
    logLine("address operation " + std::to_string(arguments.operation) +
            " on a buffer object is not modelled; the program gets EINVAL");
    return -EINVAL;
  }
}

int GemObjects::mapLocked(Object& object, Gpu& gpu, const drm_amdgpu_gem_va& arguments) {
  const uint64_t size = object.storage->size();
  if (arguments.offset_in_bo > size || arguments.map_size > size - arguments.offset_in_bo)
    return -EINVAL;
  gpu.memory.map(arguments.va_address, arguments.map_size,
                 object.storage->host() + arguments.offset_in_bo,
                 (arguments.flags & AMDGPU_VM_PAGE_WRITEABLE) != 0);
  object.mappings.push_back({&gpu, arguments.va_address, arguments.map_size});
  return 0;
}

int GemObjects::unmapLocked(Object& object, Gpu& gpu, const drm_amdgpu_gem_va& arguments) {
  const auto removed = std::erase_if(object.mappings, [&](const Mapping& mapping) {
    return mapping.gpu == &gpu && mapping.address == arguments.va_address;
  });
  if (removed == 0)
    return -ENOENT;
  gpu.memory.unmap(arguments.va_address, arguments.map_size);
  return 0;
}

int GemObjects::metadata(drm_amdgpu_gem_metadata& arguments) {
  const std::lock_guard lock(mutex_);
  Object* object = findLocked(arguments.handle);
  if (object == nullptr)
    return -ENOENT;
  if (arguments.op == AMDGPU_GEM_METADATA_OP_SET_METADATA)
    object->storage->setMetadata(arguments.data);
  else
    arguments.data = object->storage->metadata();
  return 0;
}

int GemObjects::operation(const drm_amdgpu_gem_op& arguments) {
  const std::lock_guard lock(mutex_);
  const Object* object = findLocked(arguments.handle);
  if (object == nullptr)
    return -ENOENT;
  if (arguments.op != AMDGPU_GEM_OP_GET_GEM_CREATE_INFO)
    return -EINVAL;
  const bool local = (object->flags & KFD_IOC_ALLOC_MEM_FLAGS_VRAM) != 0;
  auto& information = *reinterpret_cast<drm_amdgpu_gem_create_in*>(arguments.value);
  information = {.bo_size = object->storage->size(),
                 .alignment = BackingStore::kPageSize,
                 .domains = static_cast<uint64_t>(local ? AMDGPU_GEM_DOMAIN_VRAM
                                                        : AMDGPU_GEM_DOMAIN_GTT),
                 .domain_flags = 0};
  return 0;
}

GemObjects::Object* GemObjects::findLocked(uint32_t handle) {
  const auto found = objects_.find(handle);
  return found == objects_.end() ? nullptr : &found->second;
}

} // namespace gpusim
