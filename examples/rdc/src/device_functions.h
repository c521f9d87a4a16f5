// Device functions that are defined in one unit and called in others.
#pragma once

#include "orbit/orbit.h"

#include <hip/hip_runtime.h>

namespace orbit {

__device__ int gravity(int position);            // gravity.cpp
__device__ void step(Body& body);                // step.cpp
__device__ long long squaredVelocity(Body body); // step.cpp

} // namespace orbit
