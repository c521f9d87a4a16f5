// hipstat: a few statistics of float arrays, computed on the GPU.
//
// Every function copies its input to the current HIP device, runs there, and returns when the
// result is in host memory. A HIP error is thrown as std::runtime_error that names the call and
// HIP's reason.
#pragma once

#include <cstdint>
#include <vector>

namespace hipstat {

/// Sum, smallest and largest value of `values`; {0, 0, 0} for an empty array.
struct Summary {
  double sum;
  float smallest;
  float largest;
};
Summary summarize(const std::vector<float>& values);

/// What becomes of values outside [low, high).
enum class OutOfRange { Drop, Clamp };

/// Counts of `values` in `bins` (1 to 1024) equal bins over [low, high). NaN is always dropped.
std::vector<uint32_t> histogram(const std::vector<float>& values, float low, float high,
                                unsigned bins, OutOfRange policy = OutOfRange::Drop);

/// Each value replaced by a weighted mean of itself and `radius` (0 to 4) neighbours on each side;
/// neighbours beyond the ends repeat the end value.
std::vector<float> smooth(const std::vector<float>& values, unsigned radius);

/// The weight of a neighbour at `distance` within `radius`, as smooth() uses it on the device.
float smoothingWeight(unsigned distance, unsigned radius);

} // namespace hipstat
