// Prints the CPU time, in microseconds, that a launch of a short kernel and the wait for it take
// the process.
#include <ctime>

#include "check.h"

namespace {

constexpr int kLaunches = 500;

__global__ void increment(unsigned* counters) {
  counters[threadIdx.x] += 1;
}

double secondsOfCpu() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void launchAndWait(unsigned* counters) {
  increment<<<1, 64>>>(counters);
  HIP_OK(hipDeviceSynchronize());
}

} // namespace

int main() {
  unsigned* counters = deviceZeros<unsigned>(64);
  launchAndWait(counters); // what is done once is done
  const double start = secondsOfCpu();
  for (int launch = 0; launch < kLaunches; ++launch)
    launchAndWait(counters);
  const double seconds = secondsOfCpu() - start;
  EXPECT(toHost(counters, 1)[0] == kLaunches + 1, "a launch was lost");
  std::printf("%.1f\n", 1e6 * seconds / kLaunches);
}
