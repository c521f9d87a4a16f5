// A guest memory of a few fixed blocks, for tests of the interpreter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

#include "interpreter/interpreter.h"

namespace gpusim::test {

class FlatMemory final : public GuestMemory {
public:
  /// Maps `bytes` zeroes at `address`.
  void map(uint64_t address, size_t bytes, bool writable = true) {
    Block& block = blocks_[address];
    block.bytes.assign(bytes, std::byte{0});
    block.writable = writable;
  }
  void unmap(uint64_t address) {
    blocks_.erase(address);
    ++generation_;
  }

  MemoryRange find(uint64_t address) const override {
    auto after = blocks_.upper_bound(address);
    if (after == blocks_.begin()) {
      return {};
    }
    auto& [begin, block] = *std::prev(after);
    if (address >= begin + block.bytes.size()) {
      return {};
    }
    return {begin, begin + block.bytes.size(), block.bytes.data(), block.writable};
  }
  uint64_t generation() const noexcept override { return generation_; }

  /// The bytes at `address`; the test fails hard (null) when they are not mapped.
  std::byte* host(uint64_t address) const {
    const MemoryRange range = find(address);
    return range.host == nullptr ? nullptr : range.host + (address - range.begin);
  }
  template <class T>
  T read(uint64_t address) const {
    T value;
    std::memcpy(&value, host(address), sizeof value);
    return value;
  }
  template <class T>
  void write(uint64_t address, const T& value) {
    std::memcpy(host(address), &value, sizeof value);
  }

private:
  struct Block {
    mutable std::vector<std::byte> bytes; // guest memory is written through a const view
    bool writable = true;
  };
  std::map<uint64_t, Block> blocks_;
  uint64_t generation_ = 0;
};

} // namespace gpusim::test
