#include "residency.h"

#include <algorithm>

namespace gpusim {

namespace {

/// Instructions without the end of a workgroup after which others are let in.
constexpr uint64_t kPatience = 8'000'000;

/// Vector registers of one lane that a SIMD shares among its waves, and the unit it hands out.
struct RegisterFile {
  uint32_t registers;
  uint32_t granule;
};

RegisterFile registerFileOf(const Launch& launch, const Architecture& architecture) {
  if (architecture.halfWaves) { // registers of half as many lanes are twice as many
    return launch.lanes == 32 ? RegisterFile{1024, 16} : RegisterFile{512, 8};
  }
  return architecture.unifiedRegisters ? RegisterFile{512, 8} : RegisterFile{256, 4};
}

uint32_t allocatedRegisters(const Launch& launch, const Architecture& architecture) {
  const uint32_t granule = registerFileOf(launch, architecture).granule;
  const uint32_t used = architecture.unifiedRegisters
                            ? launch.vectorRegisters + launch.accumulationRegisters
                            : launch.vectorRegisters;
  return std::max(granule, (used + granule - 1) / granule * granule);
}

} // namespace

uint64_t workgroupCapacity(const ComputeUnits& units, const Launch& launch,
                           const Architecture& architecture) {
  const uint32_t wavesPerSimd =
      std::min(units.wavesPerSimd, registerFileOf(launch, architecture).registers /
                                       allocatedRegisters(launch, architecture));
  uint64_t perUnit = uint64_t{wavesPerSimd} * units.simds / launch.wavesPerGroup;
  if (launch.ldsBytes != 0)
    perUnit = std::min<uint64_t>(perUnit, units.localMemoryBytes / launch.ldsBytes);
  return std::max<uint64_t>(1, perUnit * units.count);
}

Residency::Residency(const Schedule& schedule, const Launch& launch,
                     const Architecture& architecture)
    : capacity_(workgroupCapacity(schedule.units, launch, architecture)) {
  bound_ = std::clamp<uint64_t>(schedule.residentWaves / launch.wavesPerGroup, 1, capacity_);
}

void Residency::ran(uint64_t instructions, bool ended) {
  sinceLastEnd_ = ended ? 0 : sinceLastEnd_ + instructions;
  if (sinceLastEnd_ >= kPatience) {
    grow();
    sinceLastEnd_ = 0;
  }
}

bool Residency::grow() {
  if (bound_ == capacity_)
    return false;
  bound_ = std::min(2 * bound_, capacity_);
  return true;
}

} // namespace gpusim
