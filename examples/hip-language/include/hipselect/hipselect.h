// Stream compaction on the GPU.
#pragma once

#include <vector>

namespace hipselect {

/// What select() keeps: values within [low, high].
struct Limits {
  int low;
  int high;
};

/// `limits` with its ends in order.
Limits ordered(Limits limits);

/// The values within `limits`, in their order. At most 1024 values; more throw std::length_error,
/// as HIP errors throw std::runtime_error.
std::vector<int> select(const std::vector<int>& values, Limits limits);

} // namespace hipselect
