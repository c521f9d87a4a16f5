// PM4 commands that reach an AQL queue in an indirect buffer.
#pragma once

#include <cstdint>
#include <string>

#include "interpreter/interpreter.h"

namespace gpusim {

/// What an indirect buffer asked for; `error` is empty when all of it is understood.
struct Pm4Result {
  bool invalidatesCaches = false;
  bool memoryFault = false; ///< the buffer at `address` is not mapped
  uint64_t address = 0;
  std::string error;
};

/// Runs the commands that the indirect-buffer command `jump` (four words) points to.
Pm4Result runIndirectBuffer(const uint32_t (&jump)[4], const GuestMemory& memory);

} // namespace gpusim
