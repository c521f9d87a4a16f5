// The virtual memory of one GPU: which GPU addresses exist and where their bytes live here.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <shared_mutex>

#include "interpreter/interpreter.h"

namespace gpusim {

class AddressSpace final : public GuestMemory {
public:
  MemoryRange find(uint64_t address) const override;
  uint64_t generation() const noexcept override;

  /// Maps `size` bytes at `begin`; what was mapped there before gives way.
  void map(uint64_t begin, uint64_t size, std::byte* host, bool writable);

  /// Removes whatever is mapped in the range; pieces that reach over its ends stay.
  void unmap(uint64_t begin, uint64_t size);

  /// The address under which the GPU sees the byte at `host` of this process.
  std::optional<uint64_t> addressOf(uint64_t host) const;

private:
  void removeLocked(uint64_t begin, uint64_t end);
  void insertLocked(const MemoryRange& range);

  mutable std::shared_mutex mutex_;
  std::map<uint64_t, MemoryRange> ranges_; ///< by end address, disjoint
  std::atomic<uint64_t> generation_{1};
};

/// The host bytes of `[address, address + size)`, or null unless one mapping holds all of them
/// with the rights asked for.
std::byte* translate(const GuestMemory& memory, uint64_t address, uint64_t size, bool forWriting);

} // namespace gpusim
