// Bodies on a line that a mass at 0 attracts, in whole numbers, so that results compare exactly.
#pragma once

#include <vector>

namespace orbit {

struct Body {
  int position;
  int velocity;
};

/// Moves the bodies by `steps` steps on the device. HIP errors throw std::runtime_error.
void advance(std::vector<Body>& bodies, unsigned steps);

/// The sum of all squared velocities, computed on the device.
long long energy(const std::vector<Body>& bodies);

} // namespace orbit
