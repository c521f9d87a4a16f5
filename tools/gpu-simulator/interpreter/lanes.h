// Sixty-four lanes at a time: lane masks and their expansion into words.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace gpusim {

inline constexpr unsigned kLanes = 64;

/// The bits of one 32-bit value for every lane: how a VGPR is stored.
using LaneWords = uint32_t[kLanes];

/// All ones in the words of the lanes set in `mask`, zero elsewhere.
inline void expandMask(uint64_t mask, LaneWords& words) {
  // Four lanes a step from a table: shifting bit by bit does not vectorise without AVX2.
  static constexpr auto kNibbles = [] {
    std::array<std::array<uint32_t, 4>, 16> table{};
    for (unsigned nibble = 0; nibble < 16; ++nibble) {
      for (unsigned bit = 0; bit < 4; ++bit) {
        table[nibble][bit] = (nibble >> bit & 1) != 0 ? ~0u : 0u;
      }
    }
    return table;
  }();
  for (unsigned step = 0; step < kLanes / 4; ++step) {
    std::memcpy(words + 4 * step, kNibbles[mask >> 4 * step & 15].data(), 16);
  }
}

/// The opposite of expandMask: bit l is the sign bit of words[l]. Words must be 0 or ~0.
inline uint64_t packMask(const LaneWords& words) {
  uint64_t mask = 0;
#if defined(__SSE2__)
  for (unsigned step = 0; step < 4; ++step) {
    const auto* at = reinterpret_cast<const __m128i*>(words + 16 * step);
    const __m128i low = _mm_packs_epi32(_mm_loadu_si128(at), _mm_loadu_si128(at + 1));
    const __m128i high = _mm_packs_epi32(_mm_loadu_si128(at + 2), _mm_loadu_si128(at + 3));
    const auto bits = static_cast<uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
    mask |= static_cast<uint64_t>(bits) << 16 * step;
  }
#else
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    mask |= static_cast<uint64_t>(words[lane] >> 31) << lane;
  }
#endif
  return mask;
}

/// Calls `visit(lane)` for every lane set in `mask`, in rising order.
template <class Visit>
inline void forEachLane(uint64_t mask, Visit&& visit) {
  for (; mask != 0; mask &= mask - 1) {
    visit(static_cast<unsigned>(__builtin_ctzll(mask)));
  }
}

/// The same with a loop the compiler can unroll when every lane is set.
template <class Visit>
[[gnu::always_inline]] inline void forEachLaneOf(uint64_t mask, Visit&& visit) {
  if (mask == ~uint64_t{0}) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      visit(lane);
    }
  } else {
    forEachLane(mask, visit);
  }
}

} // namespace gpusim
