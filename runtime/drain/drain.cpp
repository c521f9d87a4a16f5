#include "drain.h"

#include "bounded_call.h"
#include "code_object_files.h"
#include "hip.h"
#include "message.h"
#include "raw_profile.h"

#include <cerrno>
#include <cstdlib>

namespace device_coverage {
namespace {

constexpr int kDefaultSeconds = 30;
constexpr int kDataSeconds = 10;
constexpr uint32_t kSmallestStatus = 8;

// How long to wait for a device.
int timeoutSeconds() {
  const char* text = std::getenv("DEVICE_COVERAGE_TIMEOUT");
  const int seconds = text == nullptr ? 0 : std::atoi(text);
  return seconds > 0 ? seconds : kDefaultSeconds;
}

// A lock is held at most while a device is waited for, twice.
int lockSeconds() {
  return 2 * timeoutSeconds() + kDataSeconds;
}

long long millisecondsNow() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

bool isFirstOfTarget(const Array<Registry::Entry*>& entries, size_t index) {
  for (size_t i = 0; i < index; ++i)
    if (entries[i]->counted && entries[i]->object.targetId == entries[index]->object.targetId)
      return false;
  return true;
}

class KeepErrno {
public:
  ~KeepErrno() { errno = saved_; }

private:
  int saved_ = errno;
};

} // namespace

bool Drain::attach(HsaApiTable* table, const HsaRuntime::Hooks& hooks) {
  Reason reason;
  if (!hsa_.attach(table, hooks, reason)) {
    warn("%s; device coverage of this process is not collected; use a ROCm that DeviceCoverage "
         "knows",
         reason.c_str());
    return false;
  }
  active_ = true;
  return true;
}

void Drain::detach() {
  active_ = false;
  if (gaveUp_)
    return; // whoever did not answer holds the gate
  Held gate(gate_, lockSeconds());
  if (gate)
    registry_.end(nullptr);
}

void Drain::giveUp(const char* what, const char* consequence) {
  gaveUp_ = true;
  warn("%s within %d s; %s; look for a kernel that failed or does not end, or set "
       "DEVICE_COVERAGE_TIMEOUT to more seconds",
       what, timeoutSeconds(), consequence);
}

HsaStatus Drain::freeze(HsaExecutable executable, const char* options) {
  const HsaStatus status = hsa_.freeze(executable, options);
  if (status != kHsaSuccess || !usable())
    return status;
  Held gate(gate_, lockSeconds());
  if (gate)
    registry_.discover(hsa_, &executable);
  else
    giveUp("another thread's drain did not end", "code loaded from now on is not counted");
  return status;
}

template <class Work>
bool Drain::withDevices(const Work& work) {
  if (callBounded(work, timeoutSeconds()))
    return true;
  registry_.abandon();
  giveUp("the GPUs did not let their counters be copied",
         "only what was collected before is written");
  return false;
}

// The gate stays held over the destruction: a drain in between would take the executable for a new
// one.
HsaStatus Drain::destroy(HsaExecutable executable) {
  if (!usable())
    return hsa_.destroy(executable);
  bool changed = false;
  HsaStatus status;
  {
    Held gate(gate_, lockSeconds());
    if (!gate) {
      giveUp("another thread's drain did not end", "what unloaded code counted is lost");
      return hsa_.destroy(executable);
    }
    const bool inTime = withDevices(
        [this, executable] { worked_ = registry_.collect(hsa_, &executable); });
    changed = inTime && worked_;
    status = hsa_.destroy(executable);
    if (inTime && status == kHsaSuccess)
      registry_.end(&executable);
  }
  if (changed && exiting_) {
    Held flushes(flushes_, lockSeconds());
    if (flushes)
      write();
  }
  return status;
}

HsaStatus Drain::shutDown() {
  if (usable()) {
    Held gate(gate_, lockSeconds());
    if (gate)
      withDevices([this] { registry_.collect(hsa_, nullptr); });
    else
      giveUp("another thread's drain did not end", "what was counted since is lost");
  }
  // A thread that waits for a device is inside HSA, which would go away under it: the process ends
  // without that, with its own status.
  return gaveUp_ ? kHsaSuccess : hsa_.shutDown();
}

void Drain::synchronise() {
  const UsedGpus used = registry_.usedGpus(hsa_);
  if (used.count == 0)
    return;
  if (!callBounded([used] { synchroniseHip(used); }, timeoutSeconds()))
    warn(
        "the GPUs were still busy after %d s; counters are read as they stand; end the work on the "
        "GPU before the process ends, or set DEVICE_COVERAGE_TIMEOUT to more seconds",
        timeoutSeconds());
}

void Drain::collectHoldingGate() {
  Held gate(gate_, lockSeconds());
  if (!gate)
    return;
  registry_.discover(hsa_, nullptr);
  registry_.collect(hsa_, nullptr);
}

bool Drain::collect() {
  if (!usable())
    return true;
  synchronise();
  return withDevices([this] { collectHoldingGate(); });
}

bool Drain::buildProfile(const TargetId& target, size_t firstEntry, Buffer& profile) {
  const Array<Registry::Entry*>& entries = registry_.entries();
  Buffer total;
  for (size_t i = firstEntry; i < entries.size(); ++i) {
    const Registry::Entry& entry = *entries[i];
    if (!entry.counted || !(entry.object.targetId == target))
      continue;
    if (!registry_.total(entry, total) || !appendRawProfile(entry.object, total, profile))
      return false;
  }
  return true;
}

void Drain::storeCodeObjects(const TargetId& target, size_t firstEntry, const Path& profile) {
  const Array<Registry::Entry*>& entries = registry_.entries();
  for (size_t i = firstEntry; i < entries.size(); ++i) {
    Registry::Entry& entry = *entries[i];
    if (entry.elf.size() == 0 || !(entry.object.targetId == target))
      continue;
    Path stored;
    Reason reason;
    if (storeCodeObject(entry.object, entry.elf.view(), profile, stored, reason))
      tell("stored a code object of %zu bytes as `%s`; the report finds it there; nothing is to be "
           "done",
           entry.elf.size(), stored.c_str());
    else
      warn("a code object of %zu bytes that has no file was not stored because %s; the report "
           "lacks it; make room, or give the report its file",
           entry.elf.size(), reason.c_str());
    entry.elf.release();
  }
}

bool Drain::writeTarget(const TargetId& target, size_t firstEntry) {
  Buffer profile;
  Path written;
  Reason reason;
  if (!buildProfile(target, firstEntry, profile))
    reason.append("there is no memory for it");
  else if (files_.write(target, profile.view(), written, reason))
    ++filesWritten_;
  if (reason.empty())
    storeCodeObjects(target, firstEntry, written);
  if (reason.empty())
    tell("wrote %zu bytes for %s to `%s`; they hold all counts so far; nothing is to be done",
         profile.size(), target.c_str(), written.c_str());
  else
    warn("the device profile of %s was not written because %s; its counts of this process are "
         "missing "
         "from the report; make LLVM_PROFILE_FILE name a place that can be written",
         target.c_str(), reason.c_str());
  return reason.empty();
}

device_coverage_result Drain::write() {
  Held data(registry_.data(), kDataSeconds);
  if (!data)
    return DEVICE_COVERAGE_FAILED;
  const Array<Registry::Entry*>& entries = registry_.entries();
  device_coverage_result result = DEVICE_COVERAGE_NOTHING;
  for (size_t i = 0; i < entries.size(); ++i) {
    if (!entries[i]->counted)
      continue;
    if (!isFirstOfTarget(entries, i))
      continue;
    if (!writeTarget(entries[i]->object.targetId, i))
      result = DEVICE_COVERAGE_FAILED;
    else if (result == DEVICE_COVERAGE_NOTHING)
      result = DEVICE_COVERAGE_OK;
  }
  return result;
}

void Drain::tellCensus(long long milliseconds) {
  const Census& census = registry_.census();
  tell("%llu GPUs, %llu code objects loaded, %llu instrumented, %llu refused, %llu copies of %llu "
       "bytes, %llu failed, %llu files, %lld ms; this is the census; nothing is to be done",
       static_cast<unsigned long long>(census.agents),
       static_cast<unsigned long long>(census.codeObjects),
       static_cast<unsigned long long>(census.instrumented),
       static_cast<unsigned long long>(census.refused),
       static_cast<unsigned long long>(census.copies),
       static_cast<unsigned long long>(census.bytes), static_cast<unsigned long long>(census.lost),
       static_cast<unsigned long long>(filesWritten_), milliseconds);
}

device_coverage_result Drain::flush() {
  const KeepErrno keepErrno;
  if (inherited_ || !hsa_.attached())
    return DEVICE_COVERAGE_INACTIVE;
  Held flushes(flushes_, lockSeconds());
  if (!flushes)
    return DEVICE_COVERAGE_FAILED;
  const long long start = millisecondsNow();
  ++drains_;
  const bool collected = collect();
  const device_coverage_result result = write();
  tellCensus(millisecondsNow() - start);
  return collected ? result : DEVICE_COVERAGE_FAILED;
}

void Drain::flushAtExit() {
  if (exiting_.exchange(true))
    return;
  flush();
}

device_coverage_result Drain::reset() {
  const KeepErrno keepErrno;
  if (inherited_ || !hsa_.attached())
    return DEVICE_COVERAGE_INACTIVE;
  Held flushes(flushes_, lockSeconds());
  if (!flushes || !usable())
    return DEVICE_COVERAGE_FAILED;
  synchronise();
  Held gate(gate_, lockSeconds());
  if (!gate)
    return DEVICE_COVERAGE_FAILED;
  registry_.discover(hsa_, nullptr);
  const bool inTime = withDevices([this] { worked_ = registry_.reset(hsa_); });
  return inTime && worked_ ? DEVICE_COVERAGE_OK : DEVICE_COVERAGE_FAILED;
}

device_coverage_result Drain::setProfileName(const char* pattern) {
  const KeepErrno keepErrno;
  Held flushes(flushes_, lockSeconds());
  if (!flushes || !files_.setPattern(pattern))
    return DEVICE_COVERAGE_FAILED;
  return active_ ? DEVICE_COVERAGE_OK : DEVICE_COVERAGE_INACTIVE;
}

device_coverage_result Drain::status(device_coverage_status_t* status) {
  const KeepErrno keepErrno;
  if (status == nullptr || status->size < kSmallestStatus)
    return DEVICE_COVERAGE_NOTHING;
  device_coverage_status_t full = {};
  full.size = status->size < sizeof full ? status->size : static_cast<uint32_t>(sizeof full);
  full.abi = DEVICE_COVERAGE_ABI_VERSION;
  full.active = active_ ? 1 : 0;
  Held data(registry_.data(), kDataSeconds);
  if (!data)
    return DEVICE_COVERAGE_FAILED;
  const Census& census = registry_.census();
  full.agents = static_cast<uint32_t>(census.agents);
  full.code_objects = census.codeObjects;
  full.instrumented = census.instrumented;
  full.refused = census.refused;
  full.failed_copies = census.lost;
  full.copies = census.copies;
  full.bytes_copied = census.bytes;
  full.drains = drains_;
  full.files_written = filesWritten_;
  std::memcpy(status, &full, full.size);
  return active_ ? DEVICE_COVERAGE_OK : DEVICE_COVERAGE_INACTIVE;
}

void Drain::continueInChild(Drain& child) const {
  child.hsa_ = hsa_;
  child.files_.continueFrom(files_);
  child.inherited_ = hsa_.attached();
}

} // namespace device_coverage
