#include "fake_hsa.h"

#include <cstring>
#include <elf.h>
#include <stdexcept>

using namespace device_coverage;

namespace {

FakeHsa* current = nullptr;

template <class T>
T at(const std::vector<uint8_t>& bytes, size_t offset) {
  T value;
  if (offset + sizeof value > bytes.size())
    throw std::runtime_error("the test's ELF is damaged");
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

Elf64_Shdr headerOf(const std::vector<uint8_t>& elf, const std::string& name) {
  const auto header = at<Elf64_Ehdr>(elf, 0);
  const auto headerAt = [&](size_t index) {
    return at<Elf64_Shdr>(elf, header.e_shoff + index * sizeof(Elf64_Shdr));
  };
  const char* names =
      reinterpret_cast<const char*>(elf.data()) + headerAt(header.e_shstrndx).sh_offset;
  for (size_t i = 0; i < header.e_shnum; ++i)
    if (name == names + headerAt(i).sh_name)
      return headerAt(i);
  throw std::runtime_error("no section " + name);
}

} // namespace

struct FakeHsa::Executable {
  const std::vector<uint8_t>* elf;
  uint64_t agent;
  uint64_t lowest;
  std::vector<uint8_t> memory;
};

FakeHsa::FakeHsa() {
  current = this;
  core_.version = {kHsaOldestMajor, sizeof core_, 0, 0};
  core_.functions[kHsaSlotShutDown] = reinterpret_cast<void*>(&shutDownNow);
  core_.functions[kHsaSlotAgentGetInfo] = reinterpret_cast<void*>(&agentInfo);
  core_.functions[kHsaSlotMemoryCopy] = reinterpret_cast<void*>(&copy);
  core_.functions[kHsaSlotExecutableFreeze] = reinterpret_cast<void*>(&freeze);
  core_.functions[kHsaSlotExecutableDestroy] = reinterpret_cast<void*>(&destroy);
  core_.functions[kHsaSlotGetMajorExtensionTable] = reinterpret_cast<void*>(&extensionTable);
  table_.version = {kHsaOldestMajor, sizeof table_, 0, 0};
  table_.core = &core_;
}

FakeHsa::~FakeHsa() {
  const std::lock_guard<std::mutex> lock(mutex_);
  current = nullptr;
}

uint64_t FakeHsa::load(const std::vector<uint8_t>& elf, uint64_t agent) {
  return loadAs(nextHandle_++, elf, agent);
}

uint64_t FakeHsa::loadAs(uint64_t handle, const std::vector<uint8_t>& elf, uint64_t agent) {
  auto executable = std::make_unique<Executable>();
  executable->elf = &elf;
  executable->agent = agent;
  const auto header = at<Elf64_Ehdr>(elf, 0);
  uint64_t lowest = UINT64_MAX;
  uint64_t highest = 0;
  for (size_t i = 0; i < header.e_phnum; ++i) {
    const auto program = at<Elf64_Phdr>(elf, header.e_phoff + i * sizeof(Elf64_Phdr));
    if (program.p_type != PT_LOAD)
      continue;
    lowest = std::min(lowest, program.p_vaddr);
    highest = std::max(highest, program.p_vaddr + program.p_memsz);
  }
  executable->lowest = lowest;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (unloaded_.capacity() >= highest - lowest)
      executable->memory = std::move(unloaded_);
  }
  executable->memory.assign(highest - lowest, 0);
  for (size_t i = 0; i < header.e_phnum; ++i) {
    const auto program = at<Elf64_Phdr>(elf, header.e_phoff + i * sizeof(Elf64_Phdr));
    if (program.p_type == PT_LOAD)
      std::memcpy(executable->memory.data() + (program.p_vaddr - lowest),
                  elf.data() + program.p_offset, program.p_filesz);
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    executables_[handle] = std::move(executable);
  }
  reinterpret_cast<HsaExecutableFreeze>(core_.functions[kHsaSlotExecutableFreeze])(
      HsaExecutable{handle}, nullptr);
  return handle;
}

void FakeHsa::unload(uint64_t executable) {
  reinterpret_cast<HsaExecutableDestroy>(core_.functions[kHsaSlotExecutableDestroy])(
      HsaExecutable{executable});
}

void FakeHsa::shutDown() {
  reinterpret_cast<HsaShutDown>(core_.functions[kHsaSlotShutDown])();
}

uint8_t* FakeHsa::section(uint64_t executable, const std::string& name) {
  Executable& loaded = *executables_.at(executable);
  return loaded.memory.data() + (headerOf(*loaded.elf, name).sh_addr - loaded.lowest);
}

size_t FakeHsa::sectionSize(uint64_t executable, const std::string& name) {
  return headerOf(*executables_.at(executable)->elf, name).sh_size;
}

void FakeHsa::count(uint64_t executable, size_t index, uint64_t times) {
  uint8_t* counter = section(executable, "__llvm_prf_cnts") + index * sizeof(uint64_t);
  uint64_t value;
  std::memcpy(&value, counter, sizeof value);
  value += times;
  std::memcpy(counter, &value, sizeof value);
}

HsaStatus FakeHsa::segments(HsaSegment* segments, size_t* count) {
  if (current->shutDown_)
    return kHsaErrorNotInitialized;
  const std::lock_guard<std::mutex> lock(current->mutex_);
  if (segments == nullptr) {
    ++current->listings_;
    *count = current->executables_.size();
    return kHsaSuccess;
  }
  size_t i = 0;
  for (const auto& [handle, executable] : current->executables_)
    segments[i++] =
        HsaSegment{HsaAgent{executable->agent}, HsaExecutable{handle},    kHsaStorageTypeMemory,
                   executable->elf->data(),     executable->elf->size(),  0,
                   executable->memory.data(),   executable->memory.size()};
  return kHsaSuccess;
}

// An executable has one code object, of the same number.
HsaStatus FakeHsa::iterateLoadedCodeObjects(HsaExecutable executable,
                                            HsaVisitLoadedCodeObject visit, void* data) {
  return visit(executable, HsaLoadedCodeObject{executable.handle}, data);
}

HsaStatus FakeHsa::loadedCodeObjectInfo(HsaLoadedCodeObject object, uint32_t attribute,
                                        void* value) {
  const std::lock_guard<std::mutex> lock(current->mutex_);
  const Executable& loaded = *current->executables_.at(object.handle);
  const auto give = [&](auto answer) {
    std::memcpy(value, &answer, sizeof answer);
    return kHsaSuccess;
  };
  switch (attribute) {
  case kHsaLoadedAgent:
    return give(loaded.agent);
  case kHsaLoadedStorageType:
    return give(kHsaStorageTypeMemory);
  case kHsaLoadedStorageBase:
    return give(loaded.elf->data());
  case kHsaLoadedStorageSize:
    return give(uint64_t{loaded.elf->size()});
  case kHsaLoadedBase:
    return give(loaded.memory.data());
  case kHsaLoadedSize:
    return give(uint64_t{loaded.memory.size()});
  default:
    return kHsaErrorOutOfResources;
  }
}

HsaStatus FakeHsa::copy(void* destination, const void* source, size_t size) {
  ++current->copies_;
  if (current->shutDown_)
    return kHsaErrorNotInitialized;
  if (current->beforeCopy) {
    const HsaStatus status = current->beforeCopy();
    if (status != kHsaSuccess)
      return status;
  }
  // Copies overlap; the lock only orders this one before the end of the fake.
  std::memcpy(destination, source, size);
  const std::lock_guard<std::mutex> lock(current->mutex_);
  return kHsaSuccess;
}

HsaStatus FakeHsa::agentInfo(HsaAgent agent, uint32_t attribute, void* value) {
  if (attribute == kHsaAgentInfoPciBusDeviceFunction) {
    *static_cast<uint32_t*>(value) = static_cast<uint32_t>(agent.handle << 8);
    return kHsaSuccess;
  }
  if (attribute != kHsaAgentInfoDevice)
    return kHsaErrorOutOfResources;
  *static_cast<uint32_t*>(value) = agent.handle == kCpu ? 0 : kHsaDeviceTypeGpu;
  return kHsaSuccess;
}

HsaStatus FakeHsa::extensionTable(uint16_t extension, uint16_t major, size_t size, void* table) {
  if (extension != kHsaExtensionAmdLoader || major != 1 || size < sizeof(HsaLoaderTable))
    return kHsaErrorOutOfResources;
  auto& loader = *static_cast<HsaLoaderTable*>(table);
  loader.querySegmentDescriptors = &segments;
  loader.iterateLoadedCodeObjects = current->oldLoader_ ? nullptr : &iterateLoadedCodeObjects;
  loader.loadedCodeObjectInfo = current->oldLoader_ ? nullptr : &loadedCodeObjectInfo;
  return kHsaSuccess;
}

HsaStatus FakeHsa::freeze(HsaExecutable executable, const char*) {
  const std::lock_guard<std::mutex> lock(current->mutex_);
  return current->executables_.count(executable.handle) == 1 ? kHsaSuccess
                                                             : kHsaErrorOutOfResources;
}

HsaStatus FakeHsa::destroy(HsaExecutable executable) {
  const std::lock_guard<std::mutex> lock(current->mutex_);
  const auto found = current->executables_.find(executable.handle);
  if (found == current->executables_.end())
    return kHsaErrorOutOfResources;
  current->unloaded_ = std::move(found->second->memory);
  current->executables_.erase(found);
  return kHsaSuccess;
}

HsaStatus FakeHsa::shutDownNow() {
  current->shutDown_ = true;
  return kHsaSuccess;
}
