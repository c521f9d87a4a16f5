#include "driver/gpu_model.h"

#include <algorithm>
#include <array>

namespace gpusim {
namespace {

constexpr auto kModels = std::to_array<GpuModel>({
    {
        .name = "gfx906",
        .marketingName = "Vega 20 (simulated)",
        .gfxTargetVersion = 90006,
        .deviceId = 0x66a1,
        .simdCount = 240,
        .simdPerCu = 4,
        .maxWavesPerSimd = 10,
        .arrayCount = 4,
        .simdArraysPerEngine = 1,
        .cuPerSimdArray = 15,
        .maxSlotsScratchCu = 32,
        .waveFrontSize = 64,
        .sdmaEngines = 2,
        .sdmaXgmiEngines = 0,
        .sdmaQueuesPerEngine = 8,
        .cpQueues = 24,
        .maxEngineClockMhz = 1725,
        .l2CacheKiB = 4096,
    },
    {
        .name = "gfx908",
        .marketingName = "Arcturus (simulated)",
        .gfxTargetVersion = 90008,
        .deviceId = 0x738c,
        .simdCount = 480,
        .simdPerCu = 4,
        .maxWavesPerSimd = 10,
        .arrayCount = 8,
        .simdArraysPerEngine = 1,
        .cuPerSimdArray = 15,
        .maxSlotsScratchCu = 32,
        .waveFrontSize = 64,
        .sdmaEngines = 2,
        .sdmaXgmiEngines = 6,
        .sdmaQueuesPerEngine = 8,
        .cpQueues = 24,
        .maxEngineClockMhz = 1502,
        .l2CacheKiB = 8192,
        .sramEcc = true,
    },
    {
        .name = "gfx90a",
        .marketingName = "Aldebaran (simulated)",
        .gfxTargetVersion = 90010,
        .deviceId = 0x7408,
        .simdCount = 440,
        .simdPerCu = 4,
        .maxWavesPerSimd = 8,
        .arrayCount = 8,
        .simdArraysPerEngine = 1,
        .cuPerSimdArray = 14,
        .maxSlotsScratchCu = 32,
        .waveFrontSize = 64,
        .sdmaEngines = 2,
        .sdmaXgmiEngines = 3,
        .sdmaQueuesPerEngine = 8,
        .cpQueues = 24,
        .maxEngineClockMhz = 1700,
        .l2CacheKiB = 8192,
        .sramEcc = true,
        .xnackSwitchable = true,
    },
    {
        .name = "gfx942",
        .marketingName = "Aqua Vanjaram (simulated)",
        .gfxTargetVersion = 90402,
        .deviceId = 0x74a1,
        .simdCount = 1216,
        .simdPerCu = 4,
        .maxWavesPerSimd = 8,
        .arrayCount = 32,
        .simdArraysPerEngine = 1,
        .cuPerSimdArray = 10,
        .maxSlotsScratchCu = 32,
        .waveFrontSize = 64,
        .numXcc = 8,
        .sdmaEngines = 2,
        .sdmaXgmiEngines = 14,
        .sdmaQueuesPerEngine = 8,
        .cpQueues = 24,
        .maxEngineClockMhz = 2100,
        .l2CacheKiB = 4096,
        .sramEcc = true,
        .xnackSwitchable = true,
    },
    {
        .name = "gfx1030",
        .marketingName = "Sienna Cichlid (simulated)",
        .gfxTargetVersion = 100300,
        .deviceId = 0x73bf,
        .simdCount = 144,
        .simdPerCu = 2,
        .maxWavesPerSimd = 16,
        .arrayCount = 8,
        .simdArraysPerEngine = 2,
        .cuPerSimdArray = 10,
        .maxSlotsScratchCu = 32,
        .waveFrontSize = 32,
        .sdmaEngines = 4,
        .sdmaXgmiEngines = 0,
        .sdmaQueuesPerEngine = 8,
        .cpQueues = 8,
        .maxEngineClockMhz = 2250,
        .l2CacheKiB = 4096,
    },
    {
        .name = "gfx1100",
        .marketingName = "Navi 31 (simulated)",
        .gfxTargetVersion = 110000,
        .deviceId = 0x744c,
        .simdCount = 192,
        .simdPerCu = 2,
        .maxWavesPerSimd = 16,
        .arrayCount = 12,
        .simdArraysPerEngine = 2,
        .cuPerSimdArray = 8,
        .maxSlotsScratchCu = 32,
        .waveFrontSize = 32,
        .sdmaEngines = 2,
        .sdmaXgmiEngines = 0,
        .sdmaQueuesPerEngine = 6,
        .cpQueues = 8,
        .maxEngineClockMhz = 2482,
        .l2CacheKiB = 6144,
    },
});

} // namespace

std::span<const GpuModel> knownGpuModels() {
  return kModels;
}

const GpuModel* findGpuModel(std::string_view name) {
  const auto* row = std::ranges::find(kModels, name, &GpuModel::name);
  return row == kModels.end() ? nullptr : row;
}

} // namespace gpusim
