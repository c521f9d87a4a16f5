// 150 values: two whole waves and a partial one. No value of scaled() reaches its limit.
#include "collectives/collectives.h"

#include <algorithm>
#include <cstdio>

int main() {
  const std::vector<int> values = collectives::counted(150);
  for (int i = 0; i < 150; ++i) {
    if (values[i] != i) {
      std::printf("counted()[%d] is %d\n", i, values[i]);
      return 1;
    }
  }
  const int largest = collectives::largest(values);
  std::vector<int> reversed = collectives::reversed(values);
  std::reverse(reversed.begin(), reversed.end());
  const std::vector<int> scaled = collectives::scaled(values, 3, 1000);
  bool scaledRightly = true;
  for (int i = 0; i < 150; ++i)
    scaledRightly = scaledRightly && scaled[i] == 3 * i;
  std::printf("largest %d, reversed %s, scaled %s\n", largest,
              reversed == values ? "right" : "wrong", scaledRightly ? "right" : "wrong");
  return largest == 149 && reversed == values && scaledRightly ? 0 : 1;
}
