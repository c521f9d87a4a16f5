#include "driver/backing_store.h"

#include <iterator>

#include <fcntl.h>
#include <linux/falloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include "driver/gpu_list.h"

namespace gpusim {
namespace {

constexpr uint64_t kDoorbellRegion = BackingStore::doorbellOffset(kMaxGpus);
constexpr uint64_t kLargestStore = uint64_t{2} << 40;
constexpr uint64_t kSmallestStore = kDoorbellRegion + (uint64_t{8} << 30);

} // namespace

BackingStore::BackingStore() {
  fileDescriptor_ = memfd_create(kFileName, MFD_CLOEXEC);
  if (fileDescriptor_ < 0)
    return;
  // Sanitizers and address-space limits leave less room than a plain process has.
  for (size_ = kLargestStore; size_ >= kSmallestStore; size_ /= 2) {
    if (ftruncate(fileDescriptor_, static_cast<off_t>(size_)) != 0)
      continue;
    void* base = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                      fileDescriptor_, 0);
    if (base == MAP_FAILED)
      continue;
    // A forked child makes a machine of its own; a crash dump should hold the program only.
    madvise(base, size_, MADV_DONTFORK);
    madvise(base, size_, MADV_DONTDUMP);
    base_ = static_cast<std::byte*>(base);
    free_.emplace(kDoorbellRegion, size_ - kDoorbellRegion);
    return;
  }
}

BackingStore::~BackingStore() {
  if (base_ != nullptr)
    munmap(base_, size_);
  if (fileDescriptor_ >= 0)
    close(fileDescriptor_);
}

uint64_t BackingStore::allocate(uint64_t size) {
  const uint64_t wanted = roundUp(size);
  const std::lock_guard lock(mutex_);
  for (auto hole = free_.begin(); wanted != 0 && hole != free_.end(); ++hole) {
    const auto [offset, available] = *hole;
    if (available < wanted)
      continue;
    free_.erase(hole);
    if (available > wanted)
      free_.emplace(offset + wanted, available - wanted);
    return offset;
  }
  return 0;
}

void BackingStore::release(uint64_t offset, uint64_t size) {
  const uint64_t length = roundUp(size);
  fallocate(fileDescriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
            static_cast<off_t>(length));
  const std::lock_guard lock(mutex_);
  auto hole = free_.emplace(offset, length).first;
  if (hole != free_.begin()) {
    const auto before = std::prev(hole);
    if (before->first + before->second == hole->first) {
      before->second += hole->second;
      free_.erase(hole);
      hole = before;
    }
  }
  const auto after = std::next(hole);
  if (after != free_.end() && hole->first + hole->second == after->first) {
    hole->second += after->second;
    free_.erase(after);
  }
}

} // namespace gpusim
