// The public functions.
#include "lifecycle.h"

#define DEVICE_COVERAGE_EXPORT extern "C" __attribute__((visibility("default")))

DEVICE_COVERAGE_EXPORT device_coverage_result device_coverage_flush(void) {
  return device_coverage::drain().flush();
}

DEVICE_COVERAGE_EXPORT device_coverage_result device_coverage_reset(void) {
  return device_coverage::drain().reset();
}

DEVICE_COVERAGE_EXPORT device_coverage_result
device_coverage_set_profile_name(const char* pattern) {
  return device_coverage::drain().setProfileName(pattern);
}

DEVICE_COVERAGE_EXPORT device_coverage_result
device_coverage_status(device_coverage_status_t* status) {
  return device_coverage::drain().status(status);
}

DEVICE_COVERAGE_EXPORT uint32_t device_coverage_abi_version(void) {
  return DEVICE_COVERAGE_ABI_VERSION;
}
