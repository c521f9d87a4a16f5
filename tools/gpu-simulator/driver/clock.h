// The clocks that the driver and the queues stamp times with.
#pragma once

#include <cstdint>

namespace gpusim {

/// Ticks a second of gpuClock(): what gfx9's constant-rate counter runs at.
constexpr uint64_t kGpuClockFrequency = 100'000'000;
/// Ticks a second of hostClock().
constexpr uint64_t kHostClockFrequency = 1'000'000'000;

/// Nanoseconds; never steps back.
uint64_t hostClock();

/// The same instant in GPU ticks: completion signals and GET_CLOCK_COUNTERS agree on it.
uint64_t gpuClock();

} // namespace gpusim
