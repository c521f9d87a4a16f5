#include "content_hash.h"

#include <algorithm>
#include <array>

#include "mapped_file.h"

namespace device_coverage {
namespace {

constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15; // 2^64 divided by the golden ratio
constexpr unsigned kFold = 32;

// A multiplication waits for the one before it; several chains side by side do not wait for each
// other.
constexpr size_t kChains = 8;
constexpr size_t kStride = kChains * sizeof(uint64_t);

uint64_t mix(uint64_t state, uint64_t word) {
  const uint64_t product = (state ^ word) * kMultiplier;
  return product ^ (product >> kFold);
}

uint64_t wordAt(const std::byte* data, size_t size = sizeof(uint64_t)) {
  uint64_t word = 0;
  std::memcpy(&word, data, size);
  return word;
}

class ContentHash {
public:
  explicit ContentHash(uint64_t size) : tail_(mix(kMultiplier, size)) {
    for (size_t i = 0; i < kChains; ++i)
      chains_[i] = mix(kMultiplier, i);
  }

  /// The next piece; the size of each but the last is a multiple of kStride.
  void add(Bytes piece) {
    auto chains = chains_; // a copy, which can stay in registers
    const std::byte* data = piece.data();
    size_t left = piece.size();
    for (; left >= kStride; data += kStride, left -= kStride)
      for (size_t i = 0; i < kChains; ++i)
        chains[i] = mix(chains[i], wordAt(data + i * sizeof(uint64_t)));
    chains_ = chains;
    while (left > 0) {
      const size_t size = std::min(left, sizeof(uint64_t));
      tail_ = mix(tail_, wordAt(data, size));
      data += size;
      left -= size;
    }
  }

  std::string text() const {
    uint64_t state = tail_;
    for (const uint64_t chain : chains_)
      state = mix(state, chain);
    return fmt::format("{:016x}", mix(state, state >> kFold));
  }

private:
  std::array<uint64_t, kChains> chains_{};
  uint64_t tail_; ///< of the bytes that fill no stride
};

} // namespace

std::string contentHashText(Bytes bytes) {
  ContentHash hash(bytes.size());
  forEachPiece(bytes, [&](Bytes piece) {
    hash.add(piece);
    if (piece.size() < bytes.size())
      releaseMapped(piece);
  });
  return hash.text();
}

} // namespace device_coverage
