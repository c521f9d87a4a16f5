// What the drain knows of the instrumented code objects of this process, and their counters.
//
// A *loaded* code object is one load of one ELF on one agent; it ends when its executable is
// destroyed. Loads of the same code share one *entry*, which keeps what ended loads counted. So the
// total of an entry is the same however often it was drained, and a handle or an address that HSA
// uses again cannot be mistaken for what was there before.
//
// Two locks. Callers that touch the device hold the gate for the whole time, so that an executable
// cannot be destroyed while its counters are copied. The data lock guards the results and is held
// for short: when a device stops answering under the gate, what was collected before can still be
// written.
#pragma once

#include "hsa_runtime.h"
#include "load_set.h"
#include "lock.h"
#include "reading.h"

namespace device_coverage {

struct Census {
  uint64_t agents = 0;       // GPUs with instrumented code
  uint64_t codeObjects = 0;  // loaded code objects seen, instrumented or not
  uint64_t instrumented = 0; // of these
  uint64_t refused = 0;      // of these: instrumented but not usable
  uint64_t lost = 0;         // loads whose counters could not be copied, ever or at their end
  uint64_t copies = 0;       // from a device
  uint64_t bytes = 0;        // in these copies
};

class Registry {
  struct Load;

public:
  struct Entry {
    CodeObject object;
    Load* loads = nullptr; // those that have not ended
    Buffer ended;          // united readings of loads that ended
    Buffer elf;            // if it is still to be stored
    bool counted = false;  // some load was read
  };

  // Gate held. Registers what was loaded since. With `only`, just this executable's code objects,
  // whose bytes the caller knows to be alive; otherwise bytes are read as if they might be gone.
  void discover(HsaRuntime& hsa, const HsaExecutable* only);

  // Gate held. Copies the counters of all loads, or of `only`'s. True when any differs from before.
  bool collect(HsaRuntime& hsa, const HsaExecutable* only);

  // Gate held. The loads of this executable, or all, end with their latest readings.
  void end(const HsaExecutable* only);

  // Gate held. Device counters back to their start, and all readings forgotten. False when a device
  // could not be written; it then counts on.
  bool reset(HsaRuntime& hsa);

  // Takes the data lock: whoever is stuck under the gate must not touch the results any more.
  void abandon();

  // A queue of this GPU is made: from now on kernels may run on it.
  void noteQueue(HsaAgent agent);

  // The GPUs on which instrumented code is loaded now and may be running. HIP is not to be asked to
  // wait for others: it would first make a queue, for which it compiles kernels, too late at exit.
  UsedGpus usedGpus(const HsaRuntime& hsa);

  // Data lock held. Entries, and the total of one. False when there is no memory.
  const Array<Entry*>& entries() const { return entries_; }
  bool total(const Entry& entry, Buffer& total) const;

  const Census& census() const { return census_; }
  Lock& data() { return data_; }

private:
  struct Load {
    HsaExecutable executable;
    HsaAgent agent;
    const void* base;
    Entry* entry; // null: not instrumented or refused; kept, so that it is inspected once
    Load* nextOfEntry;
    Buffer latest;
    bool read;
  };

  bool mayRun(HsaAgent agent) const;
  bool isKnown(const HsaSegment& segment) const;
  void attach(Load* load, Entry* entry);
  void detach(Load* load);
  void addLoad(const HsaSegment& segment, bool bytesAlive);
  void registerLoad(const HsaSegment& segment, const Bytes& file);
  Entry* entryOf(const HsaSegment& segment, const Bytes& file);
  bool addEntry(Entry* entry, const HsaSegment& segment, const Bytes& file);
  void refuse(const HsaSegment& segment, const Reason& reason);
  bool collectOne(HsaRuntime& hsa, Load& load);
  bool takeReading(Load& load, HsaStatus status, const Buffer& reading);
  bool resetOne(HsaRuntime& hsa, Load& load);
  void countAgent(HsaAgent agent);
  Load* newLoad();
  Entry* newEntry();

  Lock data_;
  Array<Entry*> entries_;
  Array<Load*> loads_;
  LoadSet known_;           // the same
  Array<Load*> spareLoads_; // of ended loads: programs load and unload for hours
  Entry* spareEntry_ = nullptr;
  Array<uint64_t> refusals_; // hashes of reasons already told
  Array<uint64_t> agents_;
  Array<uint64_t> queued_; // GPUs with queues; none known: queues are made unseen
  Census census_;
  bool abandoned_ = false;
};

} // namespace device_coverage
