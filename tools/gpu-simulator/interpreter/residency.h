// How many workgroups of a dispatch are in flight at once.
#pragma once

#include <cstdint>

#include "architecture.h"
#include "interpreter.h"
#include "launch.h"

namespace gpusim {

/// Few waves run faster than many (their registers stay in the caches), but a workgroup may wait for
/// one that has not started. So the bound begins at `Schedule::residentWaves` and doubles while no
/// workgroup ends, up to what the compute units hold: what waits for more than that hangs on a GPU too.
class Residency {
public:
  Residency() = default;
  Residency(const Schedule& schedule, const Launch& launch, const Architecture& architecture);

  /// Whether a workgroup may start beside `groups` others. The first may always.
  bool admits(uint64_t groups) const { return groups == 0 || groups < bound_; }

  /// After `instructions` more; `ended` says that a workgroup ended with them.
  void ran(uint64_t instructions, bool ended);

  /// Raises the bound; false when the compute units are full.
  bool grow();

private:
  uint64_t bound_ = 1;    ///< workgroups
  uint64_t capacity_ = 1; ///< workgroups that the compute units hold
  uint64_t sinceLastEnd_ = 0;
};

/// Workgroups of the dispatch that all compute units hold together, by wave slots, vector registers
/// and local memory: what HIP's occupancy functions count.
uint64_t workgroupCapacity(const ComputeUnits& units, const Launch& launch,
                           const Architecture& architecture);

} // namespace gpusim
