// The memory behind every device file: one sparse, anonymous file.
//
// A device file descriptor is a duplicate of this file's, and an mmap offset of the driver is an
// offset into it. Programs therefore map "device memory" with the plain mmap system call, and
// nothing has to interpose mmap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace gpusim {

class BackingStore {
public:
  /// Creates the file and maps all of it here; check valid().
  BackingStore();
  ~BackingStore();

  BackingStore(const BackingStore&) = delete;
  BackingStore& operator=(const BackingStore&) = delete;

  bool valid() const { return base_ != nullptr; }

  int fileDescriptor() const { return fileDescriptor_; }

  /// What the file is called under /proc/PID/fd.
  static constexpr const char* kFileName = "amdgpu-simulator";

  static constexpr uint64_t kPageSize = 4096;
  static constexpr uint64_t roundUp(uint64_t size) {
    return (size + kPageSize - 1) & ~(kPageSize - 1);
  }

  /// The offset of `size` zeroed bytes, or 0 when the store is full.
  uint64_t allocate(uint64_t size);

  /// Gives the pages back to the system.
  void release(uint64_t offset, uint64_t size);

  /// Where the byte at `offset` lives in this process.
  std::byte* at(uint64_t offset) const { return base_ + offset; }

  /// The doorbell pages of GPU `index`. Each lies at a multiple of 4 GiB, because the thunk keeps
  /// only the low 32 bits of a doorbell's offset within its page.
  static constexpr uint64_t doorbellOffset(std::size_t index) { return (index + 1) << 32; }

private:
  int fileDescriptor_ = -1;
  std::byte* base_ = nullptr;
  uint64_t size_ = 0;
  std::mutex mutex_;
  std::map<uint64_t, uint64_t> free_; ///< offset to size, merged
};

} // namespace gpusim
