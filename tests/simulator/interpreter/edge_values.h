// Operand values that break naive implementations, mixed with random ones.
#pragma once

#include <cstdint>
#include <iterator>
#include <random>

#include "snippet.h"

namespace gpusim::test {

/// Lane values for operand number `salt`: every pair of edges meets in some lane, the rest is
/// random.
inline Lanes edgeLanes(unsigned salt) {
  static constexpr uint32_t kEdges[] = {0,          1,          2,          31,         32,
                                        63,         0x7fff,     0x8000,     0xffff,     0x10000,
                                        0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
  std::mt19937 random(salt + 1);
  Lanes lanes;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const bool edge = random() % 4 != 0;
    lanes[lane] = edge ? kEdges[random() % std::size(kEdges)] : static_cast<uint32_t>(random());
  }
  return lanes;
}

/// Execution masks: full, one lane, scattered, none.
inline constexpr uint64_t kMasks[] = {~uint64_t{0}, uint64_t{1} << 37, 0x8000f0f012345679, 0};

} // namespace gpusim::test
