// Compares with the host's own selection. 600 values: two full blocks and a partial one. No value
// is below the limits, so that isWithin() never leaves early.
#include "hipselect/hipselect.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

int main() {
  std::vector<int> values(600);
  for (int i = 0; i < 600; ++i)
    values[i] = i % 100;
  std::vector<int> expected;
  std::copy_if(values.begin(), values.end(), std::back_inserter(expected),
               [](int value) { return value <= 24; });
  const std::vector<int> selected = hipselect::select(values, {0, 24});
  std::printf("selected %zu values, expected %zu\n", selected.size(), expected.size());
  return selected == expected ? 0 : 1;
}
