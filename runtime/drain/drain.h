// The drain, built as libdevice_coverage.so by the consumer's own clang, in one command:
//
//   clang++ -std=c++17 -O2 -fPIC -fno-exceptions -fno-rtti -fvisibility=hidden -shared
//           -nostdlib++ -I runtime/include runtime/drain/*.cpp -o libdevice_coverage.so
//           -Wl,-soname,libdevice_coverage.so -Wl,-z,nodelete -Wl,--exclude-libs,ALL
//           -Wl,-z,defs -Wl,--as-needed -ldl
//
// A compiler other than clang also needs -I with the folder that holds profile/InstrProfData.inc.
// The library uses libc alone. It must not be instrumented itself, whatever flags the consumer has.
//
// What runs when:
//
//   library loaded     lifecycle.cpp adds the soname to HSA_TOOLS_LIB and remembers the folder
//   hsa_init           HSA calls OnLoad: hooks go into its table, exit and fork handlers are set
//   executable frozen  its code objects are registered while their bytes are alive
//   ... destroyed      its counters are kept
//   exit               all is drained; the handler is OnLoad's, so it runs before HIP's own
//   later              HIP unregisters and destroys: late counts are written as well
#pragma once

#include "profile_files.h"
#include "registry.h"

#include "device_coverage.h"

#include <atomic>

namespace device_coverage {

class Drain {
public:
  Drain() { files_.rememberStart(); }

  // HSA loaded the drain. False with a message when its table is not understood.
  bool attach(HsaApiTable* table, const HsaRuntime::Hooks& hooks);
  // HSA is going away; what was read stays.
  void detach();

  // What the hooks do around the functions they stand for.
  HsaStatus freeze(HsaExecutable executable, const char* options);
  HsaStatus destroy(HsaExecutable executable);
  void willCreateQueue(HsaAgent agent) { registry_.noteQueue(agent); }
  HsaStatus shutDown();

  const HsaRuntime& hsa() const { return hsa_; }

  device_coverage_result flush();
  device_coverage_result reset();
  device_coverage_result setProfileName(const char* pattern);
  device_coverage_result status(device_coverage_status_t* status);
  void flushAtExit();

  // In a forked child: makes `child` what this drain becomes there. HSA does not survive a fork,
  // and locks may be held by threads that the child does not have, so nothing here is locked.
  void continueInChild(Drain& child) const;

private:
  bool usable() const { return active_ && !gaveUp_; }
  void synchronise();
  // Does what copies from or to devices. False with a message when they do not let it in time; what
  // the work goes on with then counts for nothing, and the drain asks no device any more.
  template <class Work>
  bool withDevices(const Work& work);
  bool collect();
  void collectHoldingGate();
  device_coverage_result write();
  bool writeTarget(const TargetId& target, size_t firstEntry);
  void storeCodeObjects(const TargetId& target, size_t firstEntry, const Path& profile);
  bool buildProfile(const TargetId& target, size_t firstEntry, Buffer& profile);
  void giveUp(const char* what, const char* consequence);
  void tellCensus(long long milliseconds);

  HsaRuntime hsa_;
  Registry registry_;
  ProfileFiles files_;
  Lock gate_;    // see Registry
  Lock flushes_; // one flush at a time; guards files_
  std::atomic<bool> active_{false};
  std::atomic<bool> gaveUp_{false}; // a device or a lock did not answer in time
  std::atomic<bool> exiting_{false};
  std::atomic<bool> inherited_{false}; // forked from a process that used HSA
  std::atomic<bool> worked_{false};    // what work holding the gate came to
  uint64_t drains_ = 0;
  uint64_t filesWritten_ = 0;
};

} // namespace device_coverage
