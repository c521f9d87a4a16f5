// The bytes of driver buffers: pieces of this process's memory file, or of another process's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "driver/backing_store.h"
#include "driver/shared_storage.h"

namespace gpusim {

/// Shared by the buffers that show the same bytes; released with the last of them.
class Storage {
public:
  virtual ~Storage() = default;
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  std::byte* host() const { return host_; }
  uint64_t size() const { return size_; }

  /// The driver's mmap offset of the first byte.
  uint64_t mapOffset() const { return mapOffset_; }

  /// Where the bytes lie, for other processes; `gpu` and `flags` are left to the caller.
  virtual SharedStorage address() const = 0;

  BufferMetadata metadata() const;
  void setMetadata(const BufferMetadata& metadata);

protected:
  Storage(std::byte* host, uint64_t size, uint64_t mapOffset)
      : host_(host), size_(size), mapOffset_(mapOffset) {}

private:
  mutable std::mutex mutex_;
  BufferMetadata metadata_{};
  std::byte* const host_;
  const uint64_t size_;
  const uint64_t mapOffset_;
};

/// A place in an open file.
struct FilePlace {
  int descriptor = -1;
  uint64_t offset = 0;
};

/// All storage of the process. Thread-safe.
class StorageTable {
public:
  explicit StorageTable(BackingStore& store) : store_(store) {}

  /// `size` zeroed bytes; null when the store is full.
  std::shared_ptr<Storage> allocate(uint64_t size);

  /// The bytes that `shared` names, here or in another process; null when they are not there.
  std::shared_ptr<Storage> open(const SharedStorage& shared);

  /// What a program maps that passes `mapOffset` to mmap() with a device's descriptor: nothing
  /// when that is the memory file itself, as for all memory of this process.
  std::optional<FilePlace> foreignPlace(uint64_t mapOffset);

private:
  std::shared_ptr<Storage> remember(std::shared_ptr<Storage> storage);
  std::shared_ptr<Storage> findOwn(const SharedStorage& shared);

  BackingStore& store_;
  std::mutex mutex_;
  std::map<uint64_t, std::weak_ptr<Storage>> storages_; ///< by mmap offset
};

} // namespace gpusim
