// Requests to /dev/dri/renderD*.
#pragma once

namespace gpusim {

class Machine;
struct Gpu;

/// Serves `ioctl(fd, request, argument)` on the render node of `gpu`; 0 or a negated errno.
int drmRequest(Machine& machine, Gpu& gpu, unsigned long request, void* argument);

} // namespace gpusim
