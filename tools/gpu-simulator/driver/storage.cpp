#include "driver/storage.h"

#include <iterator>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/real_libc.h"

namespace gpusim {
namespace {

class OwnStorage final : public Storage {
public:
  OwnStorage(BackingStore& store, uint64_t offset, uint64_t size)
      : Storage(store.at(offset), size, offset), store_(store) {}
  ~OwnStorage() override { store_.release(mapOffset(), size()); }

  SharedStorage address() const override {
    return {.process = getpid(),
            .descriptor = store_.fileDescriptor(),
            .offset = mapOffset(),
            .size = size(),
            .metadata = metadata()};
  }

private:
  BackingStore& store_;
};

/// Takes a piece of the own file as well, for its number only: mmap offsets are unique.
class ForeignStorage final : public Storage {
public:
  ForeignStorage(BackingStore& store, uint64_t placeholder, int descriptor, std::byte* host,
                 const SharedStorage& shared)
      : Storage(host, shared.size, placeholder), store_(store), shared_(shared),
        descriptor_(descriptor) {
    setMetadata(shared.metadata);
  }
  ~ForeignStorage() override {
    munmap(host(), size());
    real::close(descriptor_);
    store_.release(mapOffset(), size());
  }

  SharedStorage address() const override {
    SharedStorage shared = shared_;
    shared.metadata = metadata();
    return shared;
  }
  FilePlace place() const { return {.descriptor = descriptor_, .offset = shared_.offset}; }

private:
  BackingStore& store_;
  const SharedStorage shared_;
  const int descriptor_;
};

bool reachesOver(int descriptor, const SharedStorage& shared) {
  struct stat status {};
  return real::fstat(descriptor, &status) == 0 && shared.size != 0 &&
         shared.offset + shared.size <= static_cast<uint64_t>(status.st_size);
}

} // namespace

BufferMetadata Storage::metadata() const {
  const std::lock_guard lock(mutex_);
  return metadata_;
}

void Storage::setMetadata(const BufferMetadata& metadata) {
  const std::lock_guard lock(mutex_);
  metadata_ = metadata;
}

std::shared_ptr<Storage> StorageTable::allocate(uint64_t size) {
  const uint64_t whole = BackingStore::roundUp(size);
  const uint64_t offset = store_.allocate(whole);
  return offset == 0 ? nullptr : remember(std::make_shared<OwnStorage>(store_, offset, whole));
}

std::shared_ptr<Storage> StorageTable::open(const SharedStorage& shared) {
  if (shared.process == getpid())
    return findOwn(shared);
  const int descriptor = openMemoryFile(shared);
  if (descriptor < 0)
    return nullptr;
  const uint64_t placeholder = reachesOver(descriptor, shared) ? store_.allocate(shared.size) : 0;
  void* host = placeholder == 0
                   ? MAP_FAILED
                   : real::mmap(nullptr, shared.size, PROT_READ | PROT_WRITE, MAP_SHARED,
                                descriptor, static_cast<off_t>(shared.offset));
  if (host != MAP_FAILED)
    return remember(std::make_shared<ForeignStorage>(store_, placeholder, descriptor,
                                                     static_cast<std::byte*>(host), shared));
  if (placeholder != 0)
    store_.release(placeholder, shared.size);
  real::close(descriptor);
  return nullptr;
}

std::optional<FilePlace> StorageTable::foreignPlace(uint64_t mapOffset) {
  const std::lock_guard lock(mutex_);
  const auto next = storages_.upper_bound(mapOffset);
  if (next == storages_.begin())
    return std::nullopt;
  const auto storage = std::dynamic_pointer_cast<ForeignStorage>(std::prev(next)->second.lock());
  if (storage == nullptr || mapOffset - storage->mapOffset() >= storage->size())
    return std::nullopt;
  FilePlace place = storage->place();
  place.offset += mapOffset - storage->mapOffset();
  return place;
}

std::shared_ptr<Storage> StorageTable::remember(std::shared_ptr<Storage> storage) {
  const std::lock_guard lock(mutex_);
  // What lay there before is gone.
  const uint64_t begin = storage->mapOffset();
  storages_.erase(storages_.lower_bound(begin), storages_.lower_bound(begin + storage->size()));
  storages_.emplace(begin, storage);
  return storage;
}

std::shared_ptr<Storage> StorageTable::findOwn(const SharedStorage& shared) {
  const std::lock_guard lock(mutex_);
  const auto found = storages_.find(shared.offset);
  auto storage = found == storages_.end() ? nullptr : found->second.lock();
  return storage != nullptr && storage->size() == shared.size ? storage : nullptr;
}

} // namespace gpusim
