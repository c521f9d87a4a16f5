// Requests to /dev/kfd.
#pragma once

namespace gpusim {

class Machine;

/// Serves `ioctl(fd, request, argument)` on the driver's device file; 0 or a negated errno.
int kfdRequest(Machine& machine, unsigned long request, void* argument);

} // namespace gpusim
