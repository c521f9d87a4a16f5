#include "../kernels/kernels.h"

__global__ void copy(int* to, const int* from) {
  if (from != to)
    *to = *from;
}
