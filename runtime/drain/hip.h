// HIP, where the process has loaded it. Nothing here loads it.
#pragma once

namespace device_coverage {

// Waits until all work on all HIP devices is done. Without HIP in the process it returns at once.
void synchroniseHip();

} // namespace device_coverage
