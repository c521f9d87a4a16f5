// A code object of its own, loaded at run time.
#include "minimal_hip.h"

extern "C" __global__ void moduleBranch(int* values, int count) {
  const int index = globalIndex();
  if (index < count)
    values[index] = 1;
}
