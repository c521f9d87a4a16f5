// What a GPU of each architecture looks like to the driver: one row a model.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace gpusim {

/// The figures that the kernel driver publishes for one GPU. Names follow the files under
/// /sys/devices/virtual/kfd/kfd/topology/nodes/N.
struct GpuModel {
  std::string_view name;          ///< bare architecture, "gfx90a"
  std::string_view marketingName; ///< for a person
  uint32_t gfxTargetVersion = 0;  ///< major * 10000 + minor * 100 + stepping
  uint32_t deviceId = 0;          ///< PCI device ID
  uint32_t simdCount = 0;         ///< of the whole GPU
  uint32_t simdPerCu = 0;
  uint32_t maxWavesPerSimd = 0;
  uint32_t arrayCount = 0; ///< shader arrays of the whole GPU
  uint32_t simdArraysPerEngine = 0;
  uint32_t cuPerSimdArray = 0;
  uint32_t maxSlotsScratchCu = 0; ///< waves per compute unit that may hold scratch
  uint32_t waveFrontSize = 0;
  uint32_t numXcc = 1; ///< accelerator dies that share a queue
  uint32_t sdmaEngines = 0;
  uint32_t sdmaXgmiEngines = 0;
  uint32_t sdmaQueuesPerEngine = 0;
  uint32_t cpQueues = 0;
  uint32_t maxEngineClockMhz = 0;
  uint32_t l2CacheKiB = 0;
  bool sramEcc = false;         ///< gfx...:sramecc+
  bool xnackSwitchable = false; ///< the process may ask for retryable page faults

  constexpr uint32_t computeUnits() const { return simdCount / simdPerCu; }
};

/// Every architecture the machine can stand in for.
std::span<const GpuModel> knownGpuModels();

/// The row called `name`, or null.
const GpuModel* findGpuModel(std::string_view name);

} // namespace gpusim
