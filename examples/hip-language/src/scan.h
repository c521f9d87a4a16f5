#pragma once

#include <hip/hip_runtime.h>

namespace hipselect {

constexpr unsigned kBlockSize = 256;
constexpr unsigned kMostBlocks = 4;

/// positions[i]: how many of flags[0..i] are set within the block of i; totals: of each whole
/// block.
__global__ void scanKernel(const unsigned* flags, unsigned count, unsigned* positions,
                           unsigned* totals);

} // namespace hipselect
