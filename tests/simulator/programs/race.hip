// Loses updates on purpose and prints how many: for tests of the schedule of waves.
#include "check.h"

namespace {

__global__ void count(volatile unsigned* counters) {
  for (unsigned i = 0; i < 20; ++i) {
    counters[i % 4] = counters[i % 4] + 1;
  }
}

} // namespace

int main() {
  unsigned* counters = deviceZeros<unsigned>(4);
  count<<<40, 128>>>(counters);
  const std::vector<unsigned> host = toHost(counters, 4);
  std::printf("%u %u %u %u\n", host[0], host[1], host[2], host[3]);
}
