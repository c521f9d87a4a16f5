#include "scaled.h"

__device__ float scaled(float factor, float value) {
  if (factor == 1)
    return value;
  return factor * value;
}
