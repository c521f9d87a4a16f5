#pragma once

#include <random>
#include <vector>

/// `count` reproducible values in [-range, range).
inline std::vector<float> randomValues(size_t count, float range) {
  std::mt19937 engine(20240607);
  std::uniform_real_distribution<float> distribution(-range, range);
  std::vector<float> values(count);
  for (float& value : values)
    value = distribution(engine);
  return values;
}
