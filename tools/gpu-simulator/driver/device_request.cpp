#include "driver/device_request.h"

#include <cerrno>

#include "driver/drm_device.h"
#include "driver/kfd_device.h"
#include "driver/machine.h"

namespace gpusim {

int deviceRequest(const OpenFile& file, unsigned long request, void* argument) {
  int result = -ENOTTY;
  if (file.inherited)
    result = -EBADF; // a process may only use devices that it opened itself
  else if (file.path.kind == VirtualPath::Kind::Kfd)
    result = kfdRequest(Machine::instance(), request, argument);
  else if (file.path.kind == VirtualPath::Kind::RenderNode)
    result = drmRequest(Machine::instance(), *Machine::instance().gpus()[file.path.gpu], request,
                        argument);
  if (result >= 0)
    return result;
  errno = -result;
  return -1;
}

} // namespace gpusim
