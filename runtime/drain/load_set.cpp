#include "load_set.h"

namespace device_coverage {
namespace {

constexpr size_t kFewestSlots = 64;

size_t hashOf(const LoadKey& key) {
  uint64_t hash = key.executable * 0x9e3779b97f4a7c15u ^ key.agent;
  hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93u ^ reinterpret_cast<uintptr_t>(key.base);
  return static_cast<size_t>((hash ^ hash >> 32) * 0xd6e8feb86659fd93u >> 16);
}

} // namespace

// The key's slot, or the first free one behind where it would be. There is always a free slot.
size_t LoadSet::find(const LoadKey& key) const {
  const size_t mask = slots_.size() - 1;
  size_t index = hashOf(key) & mask;
  while (slots_[index].state != kFree &&
         !(slots_[index].state == kUsed && slots_[index].key == key))
    index = (index + 1) & mask;
  return index;
}

bool LoadSet::contains(const LoadKey& key) const {
  return slots_.size() != 0 && slots_[find(key)].state == kUsed;
}

bool LoadSet::insert(const LoadKey& key) {
  if (4 * (occupied_ + 1) > 3 * slots_.size() && !grow())
    return false;
  Slot& slot = slots_[find(key)];
  if (slot.state != kUsed)
    ++occupied_;
  slot = Slot{key, kUsed};
  return true;
}

void LoadSet::erase(const LoadKey& key) {
  if (contains(key))
    slots_[find(key)].state = kErased;
}

// Erased slots count as occupied until they are left behind here.
bool LoadSet::grow() {
  Array<Slot> before;
  size_t used = 0;
  for (const Slot& slot : slots_) {
    if (slot.state != kUsed)
      continue;
    if (!before.push(slot))
      return false;
    ++used;
  }
  size_t size = kFewestSlots;
  while (size < 4 * used)
    size *= 2;
  slots_.clear();
  if (!slots_.resize(size))
    return false;
  occupied_ = 0;
  for (const Slot& slot : before)
    insert(slot.key);
  return true;
}

} // namespace device_coverage
