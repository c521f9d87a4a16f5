// 150 values, two whole waves and a partial one, on every GPU that is there. No value of scaled()
// reaches its limit.
#include "collectives/collectives.h"

#include <hip/hip_runtime_api.h>

#include <algorithm>
#include <cstdio>

namespace {

bool allRight() {
  const std::vector<int> values = collectives::counted(150);
  for (int i = 0; i < 150; ++i) {
    if (values[i] != i) {
      std::printf("counted()[%d] is %d\n", i, values[i]);
      return false;
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
  return largest == 149 && reversed == values && scaledRightly;
}

} // namespace

int main() {
  int gpus = 0;
  if (hipGetDeviceCount(&gpus) != hipSuccess || gpus == 0) {
    std::printf("no GPU\n");
    return 1;
  }
  for (int gpu = 0; gpu < gpus; ++gpu)
    if (hipSetDevice(gpu) != hipSuccess || !allRight())
      return 1;
  return 0;
}
