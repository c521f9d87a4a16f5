#include "driver/clock.h"

#include <ctime>

namespace gpusim {

uint64_t hostClock() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return static_cast<uint64_t>(now.tv_sec) * kHostClockFrequency +
         static_cast<uint64_t>(now.tv_nsec);
}

uint64_t gpuClock() {
  return hostClock() / (kHostClockFrequency / kGpuClockFrequency);
}

} // namespace gpusim
