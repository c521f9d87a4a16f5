#include "shared.h"

static __device__ int step(int value) {
  return value > 0 ? 1 : 0;
}

__device__ int halved(int value) {
  return value / 2 - step(value);
}
