// Draining on a signal, for long-running programs and for those that are ended by one:
// DEVICE_COVERAGE_FLUSH_ON_SIGNAL=TERM,USR1 (either or both).
//
// SIGUSR1 drains and the program goes on; SIGTERM drains and then ends the program as it would
// have. A handler of the application is left alone: a signal that has one when HSA starts is not
// taken.
#pragma once

namespace device_coverage {

// Takes the signals that the environment names.
void watchSignals();

// In a forked child, which has no thread to drain: gives the signals back.
void releaseSignals();

} // namespace device_coverage
