// Runs a function on a thread of its own and waits for it no longer than so many seconds.
//
// The thread has all signals blocked, so that no handler of the application runs on it, and HIP
// calls made there leave the application's current device alone.
#pragma once

namespace device_coverage {

// True when the function returned in time. Otherwise the thread goes on, and what the function uses
// must live for ever. Where no thread can be had, the function is called directly.
bool callBounded(void (*function)(void*), void* argument, int seconds);

} // namespace device_coverage
