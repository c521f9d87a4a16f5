// The program's commands and what they have in common.
#pragma once

namespace device_coverage {

/// Runs one command and returns the exit status. Messages go to stderr, results to stdout.
int runCommandLine(int argc, const char* const* argv);

} // namespace device_coverage
