// A second code object with functions of its own.
#include "minimal_hip.h"

__global__ void otherFill(int* values) {
  if (values[0] == 0)
    values[0] = 1;
}
