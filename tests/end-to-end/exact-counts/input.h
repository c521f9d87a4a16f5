// What the measured program and the prediction share: the input, nothing else.
#pragma once

#include <vector>

constexpr unsigned kStepLimit = 50;

/// Numbers whose Collatz sequences are short, long, and longer than kStepLimit.
inline std::vector<unsigned> countedInput(unsigned count) {
  std::vector<unsigned> input(count);
  for (unsigned i = 0; i < count; ++i)
    input[i] = i % 7 == 0 ? 1 : 1 + i * 2654435761u % 97;
  return input;
}
