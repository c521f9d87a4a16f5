// Operations over arrays on the GPU, in whole numbers, so that results compare exactly.
#pragma once

#include <vector>

namespace collectives {

/// The largest of the values; `values` must not be empty. HIP errors throw std::runtime_error.
int largest(const std::vector<int>& values);

/// The values in reverse order.
std::vector<int> reversed(const std::vector<int>& values);

/// The values times `factor`, none beyond `limit`.
std::vector<int> scaled(const std::vector<int>& values, int factor, int limit);

/// `count` values 0, 1, 2, ...
std::vector<int> counted(unsigned count);

} // namespace collectives
