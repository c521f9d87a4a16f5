// An HSA runtime made of host memory, behind the API table that the real one hands to its tools. It
// loads device ELFs as the real loader does, so that a test can play the kernel and write counters.
#pragma once

#include "hsa_abi.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

class FakeHsa {
public:
  FakeHsa();
  ~FakeHsa();
  FakeHsa(const FakeHsa&) = delete;
  FakeHsa& operator=(const FakeHsa&) = delete;

  device_coverage::HsaApiTable* table() { return &table_; }

  static constexpr uint64_t kCpu = 1;
  static constexpr uint64_t kFirstGpu = 2;
  static constexpr uint64_t kSecondGpu = 3;

  // Creates an executable with one code object loaded on an agent and freezes it through the table,
  // as an application does. `elf` must live as long as the drain may look at it.
  uint64_t load(const std::vector<uint8_t>& elf, uint64_t agent = kFirstGpu);
  // Also with a handle that was used before, and then where the last one was unloaded if it fits.
  uint64_t loadAs(uint64_t handle, const std::vector<uint8_t>& elf, uint64_t agent);
  void unload(uint64_t executable);
  // The last reference to HSA goes: nothing answers any more.
  void shutDown();

  // The device address of an executable's section, and its size.
  uint8_t* section(uint64_t executable, const std::string& name);
  size_t sectionSize(uint64_t executable, const std::string& name);
  // Adds to counter `index` of an executable, as a kernel would.
  void count(uint64_t executable, size_t index, uint64_t times = 1);

  // What to do before each copy from or to a device.
  std::function<device_coverage::HsaStatus()> beforeCopy;
  size_t copies() const { return copies_; }

  // How often all loaded segments were listed; and whether a single executable can be asked about.
  size_t listings() const { return listings_; }
  void answerLikeAnOldLoader() { oldLoader_ = true; }

private:
  struct Executable;

  static device_coverage::HsaStatus segments(device_coverage::HsaSegment* segments, size_t* count);
  static device_coverage::HsaStatus
  iterateLoadedCodeObjects(device_coverage::HsaExecutable executable,
                           device_coverage::HsaVisitLoadedCodeObject visit, void* data);
  static device_coverage::HsaStatus
  loadedCodeObjectInfo(device_coverage::HsaLoadedCodeObject object, uint32_t attribute,
                       void* value);
  static device_coverage::HsaStatus copy(void* destination, const void* source, size_t size);
  static device_coverage::HsaStatus agentInfo(device_coverage::HsaAgent agent, uint32_t attribute,
                                              void* value);
  static device_coverage::HsaStatus extensionTable(uint16_t extension, uint16_t major, size_t size,
                                                   void* table);
  static device_coverage::HsaStatus freeze(device_coverage::HsaExecutable executable, const char*);
  static device_coverage::HsaStatus destroy(device_coverage::HsaExecutable executable);
  static device_coverage::HsaStatus shutDownNow();

  device_coverage::HsaApiTable table_ = {};
  device_coverage::HsaCoreTable core_ = {};
  std::map<uint64_t, std::unique_ptr<Executable>> executables_;
  std::vector<uint8_t> unloaded_; // the memory of the executable that was destroyed last
  uint64_t nextHandle_ = 100;
  std::mutex mutex_; // of executables_ and unloaded_
  std::atomic<size_t> copies_{0};
  std::atomic<size_t> listings_{0};
  bool oldLoader_ = false;
  bool shutDown_ = false;
};
