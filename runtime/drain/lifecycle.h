// The one drain of this process, made when the library is loaded and never destroyed.
#pragma once

#include "drain.h"

namespace device_coverage {

Drain& drain();

// For calls that reached the drain by symbol: whether it has to do what its hooks would, because
// HSA loads code and did not load the drain as a tool. The first such call takes HSA's functions
// from `functions`.
bool attachInPlaceOfTool(const HsaCoreTable& functions);

// Whether it has done so. Before, there is nothing to do: HSA may not even have started.
bool isAttachedInPlaceOfTool();

} // namespace device_coverage
