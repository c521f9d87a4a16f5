#pragma once

#include <hip/hip_runtime.h>

/// Of the device library.
__device__ float scaled(float factor, float value);
