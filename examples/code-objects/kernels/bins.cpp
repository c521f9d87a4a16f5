#include "bins.h"

__device__ unsigned binOf(unsigned value) {
  if (value >= 10 * kBins)
    return kBins - 1;
  return value / 10;
}
