#pragma once
#include "../kernels/kernels.h"

__device__ int halved(int value);
__device__ int doubled(int value);

template <int N>
__device__ int raised(int value) {
  for (int i = 1; i < N; ++i)
    value *= value;
  return value;
}
