#include "hip.h"

#include "loaded_library.h"
#include "message.h"

#include <cstdio>
#include <dlfcn.h>

namespace device_coverage {
namespace {

constexpr int kHipSuccess = 0;
constexpr const char kHipLibrary[] = "libamdhip64.so";

using HipGetDeviceCount = int (*)(int* count);
using HipSetDevice = int (*)(int device);
using HipDeviceSynchronize = int (*)();
using HipDeviceGetPciBusId = int (*)(char* text, int length, int device);

struct Hip {
  HipGetDeviceCount getDeviceCount;
  HipSetDevice setDevice;
  HipDeviceSynchronize deviceSynchronize;
  HipDeviceGetPciBusId getPciBusId;
};

template <class Function>
Function find(void* hip, const char* name) {
  return reinterpret_cast<Function>(dlsym(hip, name));
}

bool findFunctions(void* library, Hip& hip) {
  hip.getDeviceCount = find<HipGetDeviceCount>(library, "hipGetDeviceCount");
  hip.setDevice = find<HipSetDevice>(library, "hipSetDevice");
  hip.deviceSynchronize = find<HipDeviceSynchronize>(library, "hipDeviceSynchronize");
  hip.getPciBusId = find<HipDeviceGetPciBusId>(library, "hipDeviceGetPCIBusId");
  return hip.getDeviceCount != nullptr && hip.setDevice != nullptr &&
         hip.deviceSynchronize != nullptr && hip.getPciBusId != nullptr;
}

bool isUsed(const Hip& hip, int device, const UsedGpus& used) {
  char text[64] = {};
  PciAddress address = {};
  if (hip.getPciBusId(text, sizeof text - 1, device) != kHipSuccess ||
      std::sscanf(text, "%x:%x:%x", &address.domain, &address.bus, &address.device) != 3)
    return false;
  for (size_t i = 0; i < used.count; ++i)
    if (used.gpus[i].domain == address.domain && used.gpus[i].bus == address.bus &&
        used.gpus[i].device == address.device)
      return true;
  return false;
}

void synchroniseDevice(const Hip& hip, int device) {
  int status = hip.setDevice(device);
  if (status == kHipSuccess)
    status = hip.deviceSynchronize();
  if (status != kHipSuccess)
    warn("waiting for HIP device %d failed (HIP error %d); its counters are read as they stand; "
         "look for the kernel that failed",
         device, status);
}

} // namespace

void synchroniseHip(const UsedGpus& used) {
  void* library = openLoadedLibrary(kHipLibrary);
  if (library == nullptr)
    return;
  Hip hip;
  int count = 0;
  if (findFunctions(library, hip) && hip.getDeviceCount(&count) == kHipSuccess)
    for (int device = 0; device < count; ++device)
      if (isUsed(hip, device, used))
        synchroniseDevice(hip, device);
  dlclose(library);
}

} // namespace device_coverage
