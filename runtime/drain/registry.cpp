#include "registry.h"

#include "code_object_files.h"
#include "device_reader.h"
#include "message.h"

#include <sys/uio.h>
#include <unistd.h>

namespace device_coverage {
namespace {

constexpr int kDataSeconds = 10;

uint64_t hashOf(const char* text) {
  uint64_t hash = 0xcbf29ce484222325u; // FNV-1a
  for (; *text != '\0'; ++text)
    hash = (hash ^ static_cast<uint8_t>(*text)) * 0x100000001b3u;
  return hash;
}

// Reads memory of this process that may be gone, without a fault.
bool copyDoubtful(const Bytes& source, Buffer& copy) {
  if (!copy.resize(source.size))
    return false;
  iovec local{copy.data(), source.size};
  iovec remote{const_cast<uint8_t*>(source.data), source.size};
  return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(source.size);
}

bool isInside(const CodeObject& object, size_t segmentSize) {
  for (const DeviceRange& part : object.parts)
    if (part.offset > segmentSize || part.size > segmentSize - part.offset)
      return false;
  return true;
}

} // namespace

void Registry::discover(HsaRuntime& hsa, const HsaExecutable* only) {
  Array<HsaSegment> segments;
  const HsaStatus status = hsa.segments(only, segments);
  if (status != kHsaSuccess && status != kHsaErrorNotInitialized)
    warn("HSA's loader did not list its code objects (status 0x%x); code loaded since is not "
         "counted; "
         "check that the ROCm installation is complete",
         status);
  for (const HsaSegment& segment : segments) {
    const bool wanted = only == nullptr || segment.executable.handle == only->handle;
    if (wanted && segment.storageType == kHsaStorageTypeMemory && !isKnown(segment) &&
        hsa.isGpu(segment.agent))
      addLoad(segment, only != nullptr);
  }
}

bool Registry::isKnown(const HsaSegment& segment) const {
  return known_.contains(
      LoadKey{segment.executable.handle, segment.agent.handle, segment.segmentBase});
}

void Registry::attach(Load* load, Entry* entry) {
  load->entry = entry;
  if (entry == nullptr)
    return;
  load->nextOfEntry = entry->loads;
  entry->loads = load;
}

void Registry::detach(Load* load) {
  if (load->entry == nullptr)
    return;
  Load** link = &load->entry->loads;
  while (*link != load)
    link = &(*link)->nextOfEntry;
  *link = load->nextOfEntry;
}

void Registry::countAgent(HsaAgent agent) {
  for (const uint64_t handle : agents_)
    if (handle == agent.handle)
      return;
  if (agents_.push(agent.handle))
    ++census_.agents;
}

Registry::Load* Registry::newLoad() {
  if (spareLoads_.size() == 0)
    return createForever<Load>();
  Load* load = spareLoads_[spareLoads_.size() - 1];
  spareLoads_.removeAt(spareLoads_.size() - 1);
  return new (load) Load();
}

Registry::Entry* Registry::newEntry() {
  if (spareEntry_ == nullptr)
    return createForever<Entry>();
  return new (std::exchange(spareEntry_, nullptr)) Entry();
}

void Registry::addLoad(const HsaSegment& segment, bool bytesAlive) {
  if (segment.storageOffset > segment.storageSize) {
    registerLoad(segment, Bytes());
    return;
  }
  const auto* base = static_cast<const uint8_t*>(segment.storageBase) + segment.storageOffset;
  const Bytes file{base, segment.storageSize - segment.storageOffset};
  Buffer copy;
  if (bytesAlive)
    registerLoad(segment, file);
  else
    registerLoad(segment, copyDoubtful(file, copy) ? copy.view() : Bytes());
}

void Registry::registerLoad(const HsaSegment& segment, const Bytes& file) {
  Held data(data_, kDataSeconds);
  Load* load = data ? newLoad() : nullptr;
  const LoadKey key = {segment.executable.handle, segment.agent.handle, segment.segmentBase};
  if (load == nullptr || !loads_.push(load) || !known_.insert(key))
    return;
  load->executable = segment.executable;
  load->agent = segment.agent;
  load->base = segment.segmentBase;
  ++census_.codeObjects;
  if (file.size == 0)
    refuse(segment, Reason("its bytes in host memory are gone"));
  else
    attach(load, entryOf(segment, file));
  if (load->entry == nullptr)
    return;
  ++census_.instrumented;
  countAgent(segment.agent);
}

Registry::Entry* Registry::entryOf(const HsaSegment& segment, const Bytes& file) {
  Entry* entry = newEntry();
  if (entry == nullptr)
    return nullptr;
  Reason reason;
  const Inspection found = inspectCodeObject(file, entry->object, reason);
  if (found == Inspection::Instrumented && !isInside(entry->object, segment.segmentSize))
    reason.format("its counters are outside the %zu bytes loaded for it", segment.segmentSize);
  if (!reason.empty())
    refuse(segment, reason);
  Entry* known = nullptr;
  if (reason.empty() && found == Inspection::Instrumented) {
    for (Entry* other : entries_)
      if (isSameCode(other->object, entry->object))
        known = other;
    if (known == nullptr && addEntry(entry, segment, file))
      return entry;
  }
  entry->~Entry();
  spareEntry_ = entry;
  return known;
}

bool Registry::addEntry(Entry* entry, const HsaSegment& segment, const Bytes& file) {
  const CodeObject& object = entry->object;
  if (!clearReading(object, entry->ended) || !entries_.push(entry))
    return false;
  if (isToBeStored(segment.storageBase) && !entry->elf.assign(file))
    warn("there is no memory to keep a code object of %zu bytes; it is not stored for the report; "
         "give the report its file",
         file.size);
  tell("found %zu instrumented functions for %s; their %llu bytes of counters will be drained; "
       "nothing is to be done",
       functionCount(object), object.targetId.c_str(),
       static_cast<unsigned long long>(object.counters().size));
  return true;
}

void Registry::refuse(const HsaSegment& segment, const Reason& reason) {
  ++census_.refused;
  const uint64_t hash = hashOf(reason.c_str());
  for (const uint64_t told : refusals_)
    if (told == hash)
      return;
  refusals_.push(hash);
  warn("a code object of %zu bytes was refused because %s; its counters are not written; build it "
       "with this package's flags and device runtime and the clang that built the drain",
       segment.storageSize, reason.c_str());
}

bool Registry::collect(HsaRuntime& hsa, const HsaExecutable* only) {
  bool changed = false;
  for (Load* load : loads_)
    if (load->entry != nullptr && (only == nullptr || load->executable.handle == only->handle))
      changed |= collectOne(hsa, *load);
  return changed;
}

bool Registry::collectOne(HsaRuntime& hsa, Load& load) {
  const CodeObject& object = load.entry->object;
  Buffer reading;
  DeviceReader reader(hsa, static_cast<const uint8_t*>(load.base));
  const HsaStatus status = reader.read(object, reading);
  Held data(data_, kDataSeconds);
  if (!data || abandoned_)
    return false;
  census_.copies += reader.copies();
  census_.bytes += reader.bytes();
  return takeReading(load, status, reading);
}

bool Registry::takeReading(Load& load, HsaStatus status, const Buffer& reading) {
  // After hsa_shut_down there is nothing to read any more; it was read before.
  if (status == kHsaErrorNotInitialized && load.read)
    return false;
  if (status != kHsaSuccess) {
    ++census_.lost;
    warn("copying %llu bytes of counters from a device failed (HSA status 0x%x); what was counted "
         "since the last drain is missing; drain earlier with device_coverage_flush()",
         static_cast<unsigned long long>(readingSize(load.entry->object)), status);
    return false;
  }
  if (load.read && load.latest.view().equals(reading.view()))
    return false;
  load.read = load.entry->counted = true;
  return load.latest.assign(reading.view());
}

void Registry::abandon() {
  Held data(data_, kDataSeconds);
  abandoned_ = true;
}

bool Registry::mayRun(HsaAgent agent) const {
  for (const uint64_t handle : queued_)
    if (handle == agent.handle)
      return true;
  return queued_.size() == 0;
}

void Registry::noteQueue(HsaAgent agent) {
  Held data(data_, kDataSeconds);
  if (data && (queued_.size() == 0 || !mayRun(agent)))
    queued_.push(agent.handle);
}

UsedGpus Registry::usedGpus(const HsaRuntime& hsa) {
  UsedGpus used = {};
  Held data(data_, kDataSeconds);
  for (const Load* load : loads_) {
    PciAddress address;
    if (load->entry == nullptr || !mayRun(load->agent) || !hsa.pciAddress(load->agent, address))
      continue;
    bool known = false;
    for (size_t i = 0; i < used.count; ++i)
      known |= std::memcmp(&used.gpus[i], &address, sizeof address) == 0;
    if (!known && used.count < sizeof used.gpus / sizeof used.gpus[0])
      used.gpus[used.count++] = address;
  }
  return used;
}

void Registry::end(const HsaExecutable* only) {
  Held data(data_, kDataSeconds);
  if (!data)
    return;
  for (size_t i = 0; i < loads_.size();) {
    Load& load = *loads_[i];
    if (only != nullptr && load.executable.handle != only->handle) {
      ++i;
      continue;
    }
    if (load.entry != nullptr && load.read)
      uniteReading(load.entry->object, load.entry->ended, load.latest);
    detach(&load);
    known_.erase(LoadKey{load.executable.handle, load.agent.handle, load.base});
    load.latest.release();
    spareLoads_.push(&load);
    loads_.removeAt(i);
  }
}

bool Registry::resetOne(HsaRuntime& hsa, Load& load) {
  const CodeObject& object = load.entry->object;
  Buffer start;
  const HsaStatus status = clearReading(object, start)
                               ? writeReading(hsa, const_cast<void*>(load.base), object, start)
                               : kHsaErrorOutOfResources;
  if (status == kHsaSuccess)
    return true;
  warn("writing %llu bytes of counters to a device failed (HSA status 0x%x); its counts go on from "
       "before the reset; reset again or take the difference of two profiles",
       static_cast<unsigned long long>(readingSize(object)), status);
  return false;
}

bool Registry::reset(HsaRuntime& hsa) {
  bool complete = true;
  for (Load* load : loads_)
    if (load->entry != nullptr)
      complete &= resetOne(hsa, *load);
  Held data(data_, kDataSeconds);
  if (!data)
    return false;
  for (Load* load : loads_)
    load->read = false;
  for (Entry* entry : entries_) {
    entry->counted = false;
    complete &= clearReading(entry->object, entry->ended);
  }
  return complete;
}

bool Registry::total(const Entry& entry, Buffer& total) const {
  if (!total.assign(entry.ended.view()))
    return false;
  for (const Load* load = entry.loads; load != nullptr; load = load->nextOfEntry)
    if (load->read)
      uniteReading(entry.object, total, load->latest);
  return true;
}

} // namespace device_coverage
