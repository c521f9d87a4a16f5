// What the two units of relocatable device code share.
#pragma once

#include "minimal_hip.h"

// Instantiated in both units: calls, and of these with a value above the limit.
template <class T>
__device__ __attribute__((noinline)) T limited(T value, T limit) {
  if (value > limit)
    return limit;
  return value;
}

__device__ int inSecondUnit(int value);
