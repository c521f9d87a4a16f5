#include "memory_view.h"

#include <algorithm>

namespace gpusim {

std::byte* MemoryView::find(uint64_t address, uint64_t bytes, bool write) {
  auto entry = std::find_if(recent_.begin(), recent_.end(),
                            [&](const MemoryRange& range) { return holds(range, address, bytes); });
  if (entry == recent_.end()) {
    const MemoryRange range = memory_.find(address);
    if (!holds(range, address, bytes)) {
      return nullptr;
    }
    entry = recent_.end() - 1;
    *entry = range;
  }
  std::rotate(recent_.begin(), entry, entry + 1);
  const MemoryRange& range = recent_.front();
  return write && !range.writable ? nullptr : range.host + (address - range.begin);
}

} // namespace gpusim
