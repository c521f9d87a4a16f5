#include "hip.h"

#include "message.h"

#include <cstring>
#include <dlfcn.h>
#include <link.h>

namespace device_coverage {
namespace {

constexpr int kHipSuccess = 0;
constexpr const char kHipLibrary[] = "libamdhip64.so";

using HipGetDeviceCount = int (*)(int* count);
using HipSetDevice = int (*)(int device);
using HipDeviceSynchronize = int (*)();

int findLibrary(dl_phdr_info* object, size_t, void* result) {
  const char* slash = std::strrchr(object->dlpi_name, '/');
  const char* file = slash == nullptr ? object->dlpi_name : slash + 1;
  if (std::strncmp(file, kHipLibrary, sizeof kHipLibrary - 1) != 0)
    return 0;
  *static_cast<const char**>(result) = object->dlpi_name;
  return 1;
}

// A HIP that an interpreter loaded privately is not in the global scope: look for it by its path.
void* openLoadedHip() {
  const char* path = nullptr;
  dl_iterate_phdr(findLibrary, &path);
  return path == nullptr ? nullptr : dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
}

template <class Function>
Function find(void* hip, const char* name) {
  return reinterpret_cast<Function>(dlsym(hip, name));
}

} // namespace

void synchroniseHip() {
  void* hip = openLoadedHip();
  if (hip == nullptr)
    return;
  const auto getDeviceCount = find<HipGetDeviceCount>(hip, "hipGetDeviceCount");
  const auto setDevice = find<HipSetDevice>(hip, "hipSetDevice");
  const auto deviceSynchronize = find<HipDeviceSynchronize>(hip, "hipDeviceSynchronize");
  int count = 0;
  if (getDeviceCount == nullptr || setDevice == nullptr || deviceSynchronize == nullptr ||
      getDeviceCount(&count) != kHipSuccess)
    count = 0;
  for (int device = 0; device < count; ++device) {
    const int status = setDevice(device) == kHipSuccess ? deviceSynchronize() : kHipSuccess;
    if (status != kHipSuccess)
      warn("waiting for HIP device %d failed (HIP error %d); its counters are read as they stand; "
           "look for the kernel that failed",
           device, status);
  }
  dlclose(hip);
}

} // namespace device_coverage
