// Copies between the registers of a full wave and neighbouring memory, the pattern of most kernels.
//
// Aligned words are never torn: the vector instructions of hosts move them whole. A race detector
// would not know that, so in its builds lanes are copied one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "lanes.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace gpusim {

#if defined(__SSE2__) && !defined(__SANITIZE_THREAD__)
inline constexpr bool kMovesRows = true;
#else
inline constexpr bool kMovesRows = false;
#endif

/// Whether rows of `kBytes` a lane, from `row` on, can be moved by the functions below.
template <unsigned kBytes>
bool movesRow(const std::byte* row) {
  constexpr bool kWidth = kBytes == 4 || kBytes == 8 || kBytes == 16;
  return kMovesRows && kWidth && reinterpret_cast<uintptr_t>(row) % sizeof(uint32_t) == 0;
}

#if defined(__SSE2__)

namespace detail {

inline __m128i loadFour(const void* from) {
  return _mm_loadu_si128(static_cast<const __m128i*>(from));
}
inline void storeFour(void* to, __m128i words) {
  _mm_storeu_si128(static_cast<__m128i*>(to), words);
}

/// Rows become columns; its own inverse.
inline void transpose(__m128i (&words)[4]) {
  const __m128i low01 = _mm_unpacklo_epi32(words[0], words[1]);
  const __m128i low23 = _mm_unpacklo_epi32(words[2], words[3]);
  const __m128i high01 = _mm_unpackhi_epi32(words[0], words[1]);
  const __m128i high23 = _mm_unpackhi_epi32(words[2], words[3]);
  words[0] = _mm_unpacklo_epi64(low01, low23);
  words[1] = _mm_unpackhi_epi64(low01, low23);
  words[2] = _mm_unpacklo_epi64(high01, high23);
  words[3] = _mm_unpackhi_epi64(high01, high23);
}

inline void loadPairs(LaneWords* registers, const std::byte* row, unsigned lane) {
  const __m128 first = _mm_castsi128_ps(loadFour(row + 8 * lane));
  const __m128 second = _mm_castsi128_ps(loadFour(row + 8 * lane + 16));
  storeFour(registers[0] + lane, _mm_castps_si128(_mm_shuffle_ps(first, second, 0x88)));
  storeFour(registers[1] + lane, _mm_castps_si128(_mm_shuffle_ps(first, second, 0xdd)));
}

inline void storePairs(const LaneWords* registers, std::byte* row, unsigned lane) {
  const __m128i low = loadFour(registers[0] + lane);
  const __m128i high = loadFour(registers[1] + lane);
  storeFour(row + 8 * lane, _mm_unpacklo_epi32(low, high));
  storeFour(row + 8 * lane + 16, _mm_unpackhi_epi32(low, high));
}

inline void loadQuads(LaneWords* registers, const std::byte* row, unsigned lane) {
  __m128i words[4];
  for (unsigned index = 0; index < 4; ++index) {
    words[index] = loadFour(row + 16 * (lane + index));
  }
  transpose(words);
  for (unsigned index = 0; index < 4; ++index) {
    storeFour(registers[index] + lane, words[index]);
  }
}

inline void storeQuads(const LaneWords* registers, std::byte* row, unsigned lane) {
  __m128i words[4];
  for (unsigned index = 0; index < 4; ++index) {
    words[index] = loadFour(registers[index] + lane);
  }
  transpose(words);
  for (unsigned index = 0; index < 4; ++index) {
    storeFour(row + 16 * (lane + index), words[index]);
  }
}

} // namespace detail

/// `registers` are as many as a lane has dwords. Only where movesRow().
template <unsigned kBytes>
void loadWholeRow(LaneWords* registers, const std::byte* row) {
  if constexpr (kBytes == 4) {
    std::memcpy(registers[0], row, sizeof(LaneWords));
  } else {
    for (unsigned lane = 0; lane < kLanes; lane += 4) {
      if constexpr (kBytes == 8) {
        detail::loadPairs(registers, row, lane);
      } else {
        detail::loadQuads(registers, row, lane);
      }
    }
  }
}

template <unsigned kBytes>
void storeWholeRow(const LaneWords* registers, std::byte* row) {
  if constexpr (kBytes == 4) {
    std::memcpy(row, registers[0], sizeof(LaneWords));
  } else {
    for (unsigned lane = 0; lane < kLanes; lane += 4) {
      if constexpr (kBytes == 8) {
        detail::storePairs(registers, row, lane);
      } else {
        detail::storeQuads(registers, row, lane);
      }
    }
  }
}

#else

template <unsigned kBytes>
void loadWholeRow(LaneWords* registers, const std::byte* row) {
  for (unsigned word = 0; word < kBytes / 4; ++word) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      std::memcpy(&registers[word][lane], row + kBytes * lane + 4 * word, 4);
    }
  }
}

template <unsigned kBytes>
void storeWholeRow(const LaneWords* registers, std::byte* row) {
  for (unsigned word = 0; word < kBytes / 4; ++word) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      std::memcpy(row + kBytes * lane + 4 * word, &registers[word][lane], 4);
    }
  }
}

#endif

} // namespace gpusim
