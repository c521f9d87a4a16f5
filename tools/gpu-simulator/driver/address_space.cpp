#include "driver/address_space.h"

#include <algorithm>
#include <mutex>
#include <vector>

namespace gpusim {

MemoryRange AddressSpace::find(uint64_t address) const {
  const std::shared_lock lock(mutex_);
  const auto next = ranges_.upper_bound(address);
  if (next == ranges_.end() || address < next->second.begin)
    return {};
  return next->second;
}

uint64_t AddressSpace::generation() const noexcept {
  return generation_.load(std::memory_order_acquire);
}

void AddressSpace::map(uint64_t begin, uint64_t size, std::byte* host, bool writable) {
  const std::unique_lock lock(mutex_);
  removeLocked(begin, begin + size);
  insertLocked({.begin = begin, .end = begin + size, .host = host, .writable = writable});
}

void AddressSpace::unmap(uint64_t begin, uint64_t size) {
  const std::unique_lock lock(mutex_);
  removeLocked(begin, begin + size);
}

std::optional<uint64_t> AddressSpace::addressOf(uint64_t host) const {
  const std::shared_lock lock(mutex_);
  for (const auto& [end, range] : ranges_) {
    const auto first = reinterpret_cast<uint64_t>(range.host);
    if (host >= first && host - first < range.end - range.begin)
      return range.begin + (host - first);
  }
  return std::nullopt;
}

void AddressSpace::removeLocked(uint64_t begin, uint64_t end) {
  std::vector<MemoryRange> cut;
  auto at = ranges_.upper_bound(begin);
  while (at != ranges_.end() && at->second.begin < end) {
    cut.push_back(at->second);
    at = ranges_.erase(at);
  }
  for (const MemoryRange& old : cut) {
    if (old.begin < begin)
      insertLocked({old.begin, begin, old.host, old.writable});
    if (old.end > end)
      insertLocked({end, old.end, old.host + (end - old.begin), old.writable});
  }
  if (!cut.empty())
    generation_.fetch_add(1, std::memory_order_release);
}

void AddressSpace::insertLocked(const MemoryRange& range) {
  ranges_.emplace(range.end, range);
}

std::byte* translate(const GuestMemory& memory, uint64_t address, uint64_t size, bool forWriting) {
  const MemoryRange range = memory.find(address);
  const bool inside = range.begin != range.end && size <= range.end - address;
  if (!inside || (forWriting && !range.writable))
    return nullptr;
  return range.host + (address - range.begin);
}

} // namespace gpusim
