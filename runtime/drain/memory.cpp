#include "memory.h"

#include <sys/mman.h>
#include <unistd.h>

namespace device_coverage {
namespace {

constexpr size_t kChunkSize = size_t{256} << 10;
constexpr size_t kAlignment = alignof(std::max_align_t);

size_t roundUp(size_t size, size_t unit) {
  return (size + unit - 1) / unit * unit;
}

void* mapPages(size_t size) {
  void* pages = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? nullptr : pages;
}

struct Chunk {
  uint8_t* next = nullptr;
  size_t left = 0;
};

Chunk currentChunk; // guarded by the caller's lock: only the registry allocates forever

} // namespace

bool Buffer::resize(size_t size) {
  if (size > capacity_) {
    const size_t pageSize = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    if (size > SIZE_MAX / 2)
      return false;
    const size_t wanted = size > 2 * capacity_ ? size : 2 * capacity_;
    const size_t capacity = roundUp(wanted, pageSize);
    void* pages =
        data_ == nullptr ? mapPages(capacity) : mremap(data_, capacity_, capacity, MREMAP_MAYMOVE);
    if (pages == nullptr || pages == MAP_FAILED)
      return false;
    data_ = static_cast<uint8_t*>(pages);
    capacity_ = capacity;
  }
  if (size > size_)
    std::memset(data_ + size_, 0, size - size_);
  size_ = size;
  return true;
}

bool Buffer::append(const void* bytes, size_t size) {
  const size_t offset = size_;
  if (size > SIZE_MAX - offset || !resize(offset + size))
    return false;
  if (size != 0)
    std::memcpy(data_ + offset, bytes, size);
  return true;
}

bool Buffer::assign(const Bytes& bytes) {
  size_ = 0;
  return append(bytes.data, bytes.size);
}

void Buffer::release() {
  if (data_ != nullptr)
    munmap(data_, capacity_);
  data_ = nullptr;
  size_ = capacity_ = 0;
}

void* allocateForever(size_t size) {
  size = roundUp(size, kAlignment);
  if (size > currentChunk.left) {
    const size_t chunkSize = size > kChunkSize ? size : kChunkSize;
    void* pages = mapPages(chunkSize);
    if (pages == nullptr)
      return nullptr;
    currentChunk = Chunk{static_cast<uint8_t*>(pages), chunkSize};
  }
  void* place = currentChunk.next;
  currentChunk.next += size;
  currentChunk.left -= size;
  return place;
}

} // namespace device_coverage
