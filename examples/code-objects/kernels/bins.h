#pragma once

#include <hip/hip_runtime.h>

constexpr unsigned kBins = 8;

/// The bin of a value, which may be any. In a unit of its own.
__device__ unsigned binOf(unsigned value);
