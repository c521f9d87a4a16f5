// The other unit.
#include "units.h"

// Calls, and of these with an odd value.
static __device__ __attribute__((noinline)) int local(int value) {
  if (value & 1)
    return 3;
  return 4;
}

__device__ int inSecondUnit(int value) {
  return local(value) + limited(value, 20);
}
