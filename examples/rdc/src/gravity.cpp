#include "device_functions.h"

namespace orbit {

// One of two static functions of this name: each unit has its own counters.
static __device__ int clamped(int value) {
  if (value > 8)
    return 8;
  return value;
}

__device__ int gravity(int position) {
  if (position > 0)
    return -clamped(position);
  return clamped(-position);
}

} // namespace orbit
