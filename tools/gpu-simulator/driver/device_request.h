// ioctl() on the simulator's descriptors.
#pragma once

#include "driver/open_files.h"

namespace gpusim {

/// Serves the request as ioctl() would: -1 and errno on failure.
int deviceRequest(const OpenFile& file, unsigned long request, void* argument);

} // namespace gpusim
