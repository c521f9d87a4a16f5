// Prints how many per cent of the process's CPU time the thread takes that waits for a kernel.
#include <cstdio>
#include <ctime>

#include "check.h"

__global__ void scramble(unsigned* out, unsigned turns) {
  unsigned value = threadIdx.x;
  for (unsigned i = 0; i < turns; ++i)
    value = value * 1664525u + (value >> 3);
  out[threadIdx.x] = value;
}

static double secondsOf(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

int main() {
  unsigned* out = nullptr;
  HIP_OK(hipMalloc(&out, 64 * sizeof(unsigned)));
  scramble<<<1, 64>>>(out, 1);
  HIP_OK(hipDeviceSynchronize()); // what is done once is done
  const double process = secondsOf(CLOCK_PROCESS_CPUTIME_ID);
  const double thread = secondsOf(CLOCK_THREAD_CPUTIME_ID);
  scramble<<<1, 64>>>(out, 2'000'000);
  HIP_OK(hipDeviceSynchronize());
  const double waited = secondsOf(CLOCK_THREAD_CPUTIME_ID) - thread;
  std::printf("%.0f\n", 100 * waited / (secondsOf(CLOCK_PROCESS_CPUTIME_ID) - process));
}
