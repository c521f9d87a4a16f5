// A set of loads of code objects, so that a drain of many thousand stays linear.
#pragma once

#include "hsa_abi.h"
#include "memory.h"

namespace device_coverage {

// One code object loaded on one agent, for as long as its executable lives.
struct LoadKey {
  uint64_t executable;
  uint64_t agent;
  const void* base;

  bool operator==(const LoadKey& other) const {
    return executable == other.executable && agent == other.agent && base == other.base;
  }
};

class LoadSet {
public:
  bool contains(const LoadKey& key) const;
  // False when there is no memory.
  bool insert(const LoadKey& key);
  void erase(const LoadKey& key);

private:
  enum State : uint32_t { kFree, kUsed, kErased }; // free slots are zero bytes
  struct Slot {
    LoadKey key;
    State state;
  };

  size_t find(const LoadKey& key) const;
  bool grow();

  Array<Slot> slots_; // a power of two of them, or none
  size_t occupied_ = 0;
};

} // namespace device_coverage
