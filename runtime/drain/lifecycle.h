// The one drain of this process, made when the library is loaded and never destroyed.
#pragma once

#include "drain.h"

namespace device_coverage {

Drain& drain();

} // namespace device_coverage
