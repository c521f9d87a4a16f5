// Messages to the user, each one line of the form
//   DeviceCoverage: drain: <fact with its value>; <consequence>; <what to do>
// written with a single write(2), so that lines of several processes do not mix.
#pragma once

namespace device_coverage {

// Always shown: something was lost or refused.
__attribute__((format(printf, 1, 2))) void warn(const char* pattern, ...);

// Shown with DEVICE_COVERAGE_VERBOSE=1: one line per step.
__attribute__((format(printf, 1, 2))) void tell(const char* pattern, ...);

} // namespace device_coverage
