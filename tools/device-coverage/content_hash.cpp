#include "content_hash.h"

#include <algorithm>

namespace device_coverage {
namespace {

constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15; // 2^64 divided by the golden ratio
constexpr unsigned kFold = 32;

uint64_t mix(uint64_t state, uint64_t word) {
  const uint64_t product = (state ^ word) * kMultiplier;
  return product ^ (product >> kFold);
}

} // namespace

std::string contentHashText(Bytes bytes) {
  uint64_t state = mix(kMultiplier, bytes.size());
  while (!bytes.empty()) {
    uint64_t word = 0;
    const size_t size = std::min(bytes.size(), sizeof(word));
    std::memcpy(&word, bytes.data(), size);
    state = mix(state, word);
    bytes = bytes.subspan(size);
  }
  return fmt::format("{:016x}", mix(state, state >> kFold));
}

} // namespace device_coverage
