#include "driver/kfd_memory.h"

#include <algorithm>
#include <cerrno>

namespace gpusim {
namespace {

constexpr uint64_t kPageMask = 4095;

bool hasFlag(uint32_t flags, uint32_t flag) {
  return (flags & flag) != 0;
}

} // namespace

int MemoryTable::allocate(kfd_ioctl_alloc_memory_of_gpu_args& arguments) {
  Buffer buffer;
  buffer.owner = findGpu(arguments.gpu_id);
  buffer.address = arguments.va_addr & ~kPageMask;
  buffer.size = arguments.size;
  buffer.flags = arguments.flags;
  if (buffer.owner == nullptr || buffer.size == 0)
    return -EINVAL;
  // Ring buffers of gfx8 and older are mapped twice in a row; `size` counts both mappings.
  if (hasFlag(buffer.flags, KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM))
    buffer.size /= 2;

  const std::lock_guard lock(mutex_);
  if (const int error = placeBuffer(buffer, arguments); error != 0)
    return error;
  arguments.handle = nextHandle_++;
  buffers_.emplace(arguments.handle, buffer);
  return 0;
}

int MemoryTable::placeBuffer(Buffer& buffer, kfd_ioctl_alloc_memory_of_gpu_args& arguments) {
  if (hasFlag(buffer.flags, KFD_IOC_ALLOC_MEM_FLAGS_USERPTR)) {
    buffer.host = reinterpret_cast<std::byte*>(arguments.mmap_offset & ~kPageMask);
    return 0;
  }
  if (hasFlag(buffer.flags, KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL)) {
    const uint64_t offset = BackingStore::doorbellOffset(buffer.owner->index);
    buffer.host = store_.at(offset);
    arguments.mmap_offset = offset;
    return 0;
  }
  const bool local = hasFlag(buffer.flags, KFD_IOC_ALLOC_MEM_FLAGS_VRAM);
  if (local && buffer.size > available(*buffer.owner))
    return -ENOMEM;
  buffer.storage = storages_.allocate(buffer.size);
  if (buffer.storage == nullptr)
    return -ENOMEM;
  buffer.charged = local;
  if (local)
    buffer.owner->localMemoryUsed += buffer.size;
  buffer.host = buffer.storage->host();
  arguments.mmap_offset = buffer.storage->mapOffset();
  return 0;
}

int MemoryTable::share(uint64_t handle, SharedStorage& shared) {
  const std::lock_guard lock(mutex_);
  const auto found = buffers_.find(handle);
  if (found == buffers_.end() || found->second.storage == nullptr)
    return -EINVAL;
  shared = found->second.storage->address();
  shared.gpu = static_cast<uint32_t>(found->second.owner->index);
  shared.flags = found->second.flags;
  return 0;
}

int MemoryTable::import(const SharedStorage& shared, uint64_t address, uint64_t& handle,
                        uint64_t& mapOffset) {
  if (shared.gpu >= gpus_.size())
    return -EINVAL;
  Buffer buffer;
  buffer.storage = storages_.open(shared);
  if (buffer.storage == nullptr)
    return -EINVAL;
  buffer.owner = gpus_[shared.gpu].get();
  buffer.address = address;
  buffer.size = shared.size;
  buffer.flags = shared.flags | KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE;
  buffer.host = buffer.storage->host();
  mapOffset = buffer.storage->mapOffset();
  const std::lock_guard lock(mutex_);
  handle = nextHandle_++;
  buffers_.emplace(handle, std::move(buffer));
  return 0;
}

int MemoryTable::free(uint64_t handle) {
  const std::lock_guard lock(mutex_);
  const auto found = buffers_.find(handle);
  if (found == buffers_.end())
    return -EINVAL;
  Buffer& buffer = found->second;
  while (!buffer.mappedTo.empty())
    unmapBuffer(buffer, **buffer.mappedTo.begin());
  if (buffer.charged)
    buffer.owner->localMemoryUsed -= buffer.size;
  buffers_.erase(found);
  return 0;
}

int MemoryTable::mapToGpus(kfd_ioctl_map_memory_to_gpu_args& arguments) {
  const std::lock_guard lock(mutex_);
  const auto found = buffers_.find(arguments.handle);
  bool known = true;
  const auto gpus = gpusOf(arguments.device_ids_array_ptr, arguments.n_devices, known);
  if (found == buffers_.end() || !known)
    return -EINVAL;
  for (Gpu* gpu : gpus)
    mapBuffer(found->second, *gpu);
  arguments.n_success = arguments.n_devices;
  return 0;
}

int MemoryTable::unmapFromGpus(kfd_ioctl_unmap_memory_from_gpu_args& arguments) {
  const std::lock_guard lock(mutex_);
  const auto found = buffers_.find(arguments.handle);
  bool known = true;
  const auto gpus = gpusOf(arguments.device_ids_array_ptr, arguments.n_devices, known);
  if (found == buffers_.end() || !known)
    return -EINVAL;
  for (Gpu* gpu : gpus)
    unmapBuffer(found->second, *gpu);
  arguments.n_success = arguments.n_devices;
  return 0;
}

void MemoryTable::mapBuffer(Buffer& buffer, Gpu& gpu) {
  if (!buffer.mappedTo.insert(&gpu).second)
    return;
  const bool writable = hasFlag(buffer.flags, KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE);
  gpu.memory.map(buffer.address, buffer.size, buffer.host, writable);
  if (hasFlag(buffer.flags, KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM))
    gpu.memory.map(buffer.address + buffer.size, buffer.size, buffer.host, writable);
}

void MemoryTable::unmapBuffer(Buffer& buffer, Gpu& gpu) {
  if (buffer.mappedTo.erase(&gpu) == 0)
    return;
  const bool twice = hasFlag(buffer.flags, KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM);
  gpu.memory.unmap(buffer.address, twice ? 2 * buffer.size : buffer.size);
}

std::vector<Gpu*> MemoryTable::gpusOf(uint64_t idArray, uint32_t count, bool& known) const {
  const std::span<const uint32_t> ids(reinterpret_cast<const uint32_t*>(idArray), count);
  std::vector<Gpu*> gpus;
  for (const uint32_t gpuId : ids)
    gpus.push_back(findGpu(gpuId));
  known = std::ranges::find(gpus, nullptr) == gpus.end();
  return gpus;
}

Gpu* MemoryTable::findGpu(uint32_t gpuId) const {
  for (const std::unique_ptr<Gpu>& gpu : gpus_)
    if (gpu->gpuId() == gpuId)
      return gpu.get();
  return nullptr;
}

uint64_t MemoryTable::available(const Gpu& gpu) {
  return kLocalMemorySize - std::min(kLocalMemorySize, gpu.localMemoryUsed.load());
}

} // namespace gpusim
