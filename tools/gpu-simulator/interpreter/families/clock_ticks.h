// The clocks that waves read.
#pragma once

#include <chrono>
#include <cstdint>

namespace gpusim {

/// Ticks of the 100 MHz counter.
inline uint64_t realTime() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() /
                               10);
}

inline constexpr uint64_t kClocksPerTick = 17; ///< of the shader clock: about 1.7 GHz

} // namespace gpusim
