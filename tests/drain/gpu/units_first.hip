// Relocatable device code of two units: a kernel that calls into the other unit. Each unit has a
// static function of one and the same name.
#include "units.h"

// Calls, and of these with a value below 10.
static __device__ __attribute__((noinline)) int local(int value) {
  if (value < 10)
    return 1;
  return 2;
}

extern "C" __global__ void moduleBranch(int* values, int count) {
  const int index = globalIndex();
  if (index < count)
    values[index] = local(index) + limited(index, 30) + inSecondUnit(index);
}
