// The runtime's waits for signals, which this library stands in front of as well.
//
// HIP asks to wait actively. On hardware that costs a core which has nothing else to do; here it
// takes the core on which the kernel is executed. HSA lets a runtime ignore the hint. Passing
// another one on would not do: ROCr before 6.1 lets only the first thread that waits for a signal
// sleep, and where a handler is registered for the signal as well, the thread that calls handlers
// polls in its place and does not notice memory faults. So the thread sleeps here, and the
// runtime's function is called when it can return at once.

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <hsa/amd_hsa_signal.h>
#include <hsa/hsa.h>
#include <sched.h>

#include "driver/clock.h"
#include "driver/log.h"
#include "driver/machine.h"

namespace gpusim {
namespace {

/// Short work ends while the thread still polls, as long as ROCr would.
constexpr uint64_t kPollTime = 200'000;

struct Wish {
  hsa_signal_t signal;
  hsa_signal_condition_t condition;
  hsa_signal_value_t value;
};

amd_signal_t& contentOf(hsa_signal_t signal) {
  return *reinterpret_cast<amd_signal_t*>(signal.handle);
}

bool isFulfilled(const Wish& wish) {
  auto& value = const_cast<int64_t&>(contentOf(wish.signal).value);
  const int64_t now = std::atomic_ref<int64_t>(value).load();
  switch (wish.condition) {
  case HSA_SIGNAL_CONDITION_EQ:
    return now == wish.value;
  case HSA_SIGNAL_CONDITION_NE:
    return now != wish.value;
  case HSA_SIGNAL_CONDITION_LT:
    return now < wish.value;
  case HSA_SIGNAL_CONDITION_GTE:
    return now >= wish.value;
  }
  return true; // the runtime shall judge it
}

bool isOrdinary(const Wish& wish) {
  return wish.signal.handle != 0 && contentOf(wish.signal).kind == AMD_SIGNAL_KIND_USER;
}

/// The wait as far as it is ours.
class Wait {
public:
  /// `timeout` as HSA has it: ticks of the host's clock, UINT64_MAX for no end.
  Wait(uint64_t timeout, hsa_wait_state_t hint) : timeout_(timeout), hint_(hint) {}

  /// Sleeps until one of `wishes` is fulfilled or the time is over.
  void sleep(std::span<const Wish> wishes) {
    Machine* machine = Machine::existing();
    // Without GPUs of ours the waits are none of our business.
    if (machine == nullptr || machine->configuration().keepsWaitHints ||
        !std::ranges::all_of(wishes, isOrdinary))
      return;
    hint_ = HSA_WAIT_STATE_BLOCKED;
    const auto over = [&] { return remaining() == 0 || std::ranges::any_of(wishes, isFulfilled); };
    if (over())
      return;
    machine->lookAtDoorbells();
    while (!over()) {
      if (elapsed() > kPollTime)
        return machine->waiters().sleepUntil(over);
      sched_yield(); // the queue may need this core
    }
  }

  /// For the runtime, which has the last word.
  uint64_t remaining() const {
    return timeout_ == UINT64_MAX ? timeout_ : timeout_ - std::min(timeout_, elapsed());
  }
  hsa_wait_state_t hint() const { return hint_; }

private:
  uint64_t elapsed() const { return hostClock() - start_; }

  const uint64_t start_ = hostClock();
  const uint64_t timeout_;
  hsa_wait_state_t hint_;
};

/// The runtime's function. A runtime that was loaded with RTLD_LOCAL is only found through what
/// depends on it: the library that `caller` is in.
void* findInRuntime(const char* name, const void* caller) {
  if (void* next = dlsym(RTLD_NEXT, name))
    return next;
  Dl_info library{};
  void* found = nullptr;
  if (dladdr(caller, &library) != 0)
    if (void* handle = dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD)) {
      found = dlsym(handle, name);
      dlclose(handle);
    }
  if (found == nullptr) {
    logLine(std::string("internal error: ") + name +
            " was called and no loaded library has it; the process is aborted; please report this");
    std::abort();
  }
  return found;
}

template <typename Function>
Function* inRuntime(Function*& known, const char* name, const void* caller) {
  Function* function = __atomic_load_n(&known, __ATOMIC_ACQUIRE);
  if (function == nullptr) {
    function = reinterpret_cast<Function*>(findInRuntime(name, caller));
    __atomic_store_n(&known, function, __ATOMIC_RELEASE);
  }
  return function;
}

using WaitForOne = hsa_signal_value_t(hsa_signal_t, hsa_signal_condition_t, hsa_signal_value_t,
                                      uint64_t, hsa_wait_state_t);
using WaitForAny = uint32_t(uint32_t, hsa_signal_t*, hsa_signal_condition_t*, hsa_signal_value_t*,
                            uint64_t, hsa_wait_state_t, hsa_signal_value_t*);

} // namespace
} // namespace gpusim

#define GPUSIM_EXPORT extern "C" __attribute__((visibility("default")))

#define GPUSIM_WAIT_FOR_ONE(name)                                                                  \
  GPUSIM_EXPORT hsa_signal_value_t name(hsa_signal_t signal, hsa_signal_condition_t condition,     \
                                        hsa_signal_value_t value, uint64_t timeout,                \
                                        hsa_wait_state_t hint) {                                   \
    static gpusim::WaitForOne* known = nullptr;                                                    \
    auto* original = gpusim::inRuntime(known, #name, __builtin_return_address(0));                 \
    const gpusim::Wish wish{signal, condition, value};                                             \
    gpusim::Wait wait(timeout, hint);                                                              \
    wait.sleep({&wish, 1});                                                                        \
    return original(signal, condition, value, wait.remaining(), wait.hint());                      \
  }

GPUSIM_WAIT_FOR_ONE(hsa_signal_wait_relaxed)
GPUSIM_WAIT_FOR_ONE(hsa_signal_wait_scacquire)
GPUSIM_WAIT_FOR_ONE(hsa_signal_wait_acquire)

GPUSIM_EXPORT uint32_t hsa_amd_signal_wait_any(uint32_t count, hsa_signal_t* signals,
                                               hsa_signal_condition_t* conditions,
                                               hsa_signal_value_t* values, uint64_t timeout,
                                               hsa_wait_state_t hint,
                                               hsa_signal_value_t* satisfying) {
  static gpusim::WaitForAny* known = nullptr;
  auto* original = gpusim::inRuntime(known, "hsa_amd_signal_wait_any", __builtin_return_address(0));
  std::vector<gpusim::Wish> wishes;
  for (uint32_t i = 0; i < count; ++i)
    wishes.push_back({signals[i], conditions[i], values[i]});
  gpusim::Wait wait(timeout, hint);
  wait.sleep(wishes);
  return original(count, signals, conditions, values, wait.remaining(), wait.hint(), satisfying);
}
