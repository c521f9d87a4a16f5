// 100 bodies, 5 steps, computed on the host as well. No body is fast enough to be held at 100, so
// the clamped() of step.cpp never clamps.
#include "orbit/orbit.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace {

void stepOnHost(orbit::Body& body) {
  const int pull = std::min(std::abs(body.position), 8);
  body.velocity += body.position > 0 ? -pull : pull;
  body.position += body.velocity;
}

} // namespace

int main() {
  std::vector<orbit::Body> bodies;
  for (int i = 0; i < 100; ++i)
    bodies.push_back({i - 50, 0});
  std::vector<orbit::Body> expected = bodies;
  long long expectedEnergy = 0;
  for (orbit::Body& body : expected) {
    for (int i = 0; i < 5; ++i)
      stepOnHost(body);
    expectedEnergy += static_cast<long long>(body.velocity) * body.velocity;
  }
  orbit::advance(bodies, 5);
  const bool same = std::equal(bodies.begin(), bodies.end(), expected.begin(),
                               [](const orbit::Body& a, const orbit::Body& b) {
                                 return a.position == b.position && a.velocity == b.velocity;
                               });
  const long long energy = orbit::energy(bodies);
  std::printf("energy %lld, expected %lld\n", energy, expectedEnergy);
  return same && energy == expectedEnergy ? 0 : 1;
}
