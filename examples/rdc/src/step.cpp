#include "device_functions.h"

namespace orbit {

static __device__ int clamped(int value) {
  if (value > 100)
    return 100;
  return value;
}

__device__ void step(Body& body) {
  body.velocity = clamped(body.velocity + gravity(body.position));
  body.position += body.velocity;
}

__device__ long long squaredVelocity(Body body) {
  return static_cast<long long>(body.velocity) * body.velocity;
}

} // namespace orbit
