// The toolchain's own collector of device counters.
#pragma once

namespace device_coverage {

// Whether it is in this process, although the drain is: both would write the same counts.
bool isToolchainCollectorLinked();

} // namespace device_coverage
