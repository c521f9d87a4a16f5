// What a kernel descriptor and a dispatch packet say about the first state of the waves.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "architecture.h"
#include "interpreter.h"
#include "memory_view.h"
#include "wave.h"

namespace gpusim {

/// A dispatch, checked and ready to start waves from.
struct Launch {
  std::string problem; ///< not empty: the dispatch is invalid, and why
  uint64_t entry = 0;
  uint32_t mode = 0;
  uint32_t lanes = kLanes;            ///< of a wave
  uint32_t vectorRegisters = 0;       ///< allocated VGPRs, which start as 0
  uint32_t accumulationRegisters = 0; ///< allocated AGPRs
  uint32_t userScalars = 0;           ///< SGPRs before the workgroup ids
  std::array<uint32_t, 32> scalars{};
  std::array<bool, 3> groupIdEnabled{};
  bool groupInfoEnabled = false;
  bool scratchOffsetEnabled = false;
  bool usesScratch = false;
  std::array<uint32_t, 3> gridSize{};
  std::array<uint32_t, 3> groupSize{};
  std::array<uint64_t, 3> groups{}; ///< workgroups in each dimension
  uint32_t wavesPerGroup = 0;       ///< of a full workgroup
  uint32_t ldsBytes = 0;

  uint64_t totalGroups() const noexcept { return groups[0] * groups[1] * groups[2]; }
};

Launch prepareLaunch(const Dispatch& dispatch, const Architecture& architecture,
                     MemoryView& memory);

/// Work-items of the workgroup, fewer than the full size at the end of the grid.
std::array<uint32_t, 3> groupExtent(const Launch& launch, const uint32_t (&group)[3]);

/// Sets registers of wave `wave.idInGroup` of `wave.group`; `next` and `page` are left to the
/// caller.
void initializeWave(Wave& wave, const Launch& launch, const Dispatch& dispatch,
                    const Architecture& architecture);

} // namespace gpusim
