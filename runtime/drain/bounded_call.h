// Runs a function on a thread of its own and waits for it no longer than so many seconds.
//
// The thread has all signals blocked, so that no handler of the application runs on it, and HIP
// calls made there leave the application's current device alone.
#pragma once

#include <cstddef>
#include <type_traits>

namespace device_coverage {

// The most bytes an argument may have.
constexpr size_t kLargestArgument = 2048;

// Calls the function with a copy of the argument's bytes. True when it returned in time. Otherwise
// the thread goes on, and what the argument points to must live for ever. Where no thread can be
// had, the function is called directly.
bool callBounded(void (*function)(const void* argument), const void* argument, size_t size,
                 int seconds);

// The same for what captures no more than bytes.
template <class Work>
bool callBounded(const Work& work, int seconds) {
  static_assert(std::is_trivially_copyable_v<Work> && sizeof(Work) <= kLargestArgument);
  const auto call = [](const void* copy) { (*static_cast<const Work*>(copy))(); };
  return callBounded(call, &work, sizeof work, seconds);
}

} // namespace device_coverage
