#include "drain_elf.h"

#include "device_coverage/device_note.h"
#include "profile_format.h"

#include <cstring>
#include <elf.h>
#include <string>

using namespace device_coverage;

namespace {

constexpr uint16_t kMachineAmdgpu = 224;
constexpr uint8_t kAbiVersion4 = 2;     // of ELFs of code-object version 4
constexpr uint32_t kFlagsGfx90a = 0x3f; // features unsupported or unset
constexpr uint64_t kAlignment = 8;

class Writer {
public:
  template <class T>
  void append(const T& value) {
    append(&value, sizeof value);
  }
  void append(const void* bytes, size_t size) {
    const auto* first = static_cast<const uint8_t*>(bytes);
    file_.insert(file_.end(), first, first + size);
  }
  // One allocated section; its address is its offset in the file.
  void section(const char* name, uint32_t type, const std::vector<uint8_t>& bytes) {
    file_.resize((file_.size() + kAlignment - 1) / kAlignment * kAlignment);
    Elf64_Shdr header = {};
    header.sh_name = static_cast<uint32_t>(names_.size());
    header.sh_type = type;
    header.sh_flags = SHF_ALLOC;
    header.sh_addr = header.sh_offset = file_.size();
    header.sh_size = bytes.size();
    headers_.push_back(header);
    names_.append(name).push_back('\0');
    append(bytes.data(), bytes.size());
  }
  std::vector<uint8_t> finish();

private:
  std::vector<uint8_t> file_ = std::vector<uint8_t>(sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr));
  std::vector<Elf64_Shdr> headers_ = std::vector<Elf64_Shdr>(1);
  std::string names_ = std::string(1, '\0');
};

Elf64_Phdr segmentOf(uint32_t type, uint64_t offset, uint64_t size) {
  Elf64_Phdr program = {};
  program.p_type = type;
  program.p_flags = PF_R | PF_W;
  program.p_offset = program.p_vaddr = offset;
  program.p_filesz = program.p_memsz = size;
  return program;
}

// The first section is the note; the last one added here holds the names of all.
std::vector<uint8_t> Writer::finish() {
  const Elf64_Shdr note = headers_[1];
  const uint64_t loaded = file_.size();
  section(".shstrtab", SHT_STRTAB, {});
  headers_.back().sh_flags = 0;
  headers_.back().sh_size = names_.size();
  append(names_.data(), names_.size());
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_ABIVERSION] = kAbiVersion4;
  header.e_machine = kMachineAmdgpu;
  header.e_flags = kFlagsGfx90a;
  header.e_phoff = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 2;
  header.e_shoff = file_.size();
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<uint16_t>(headers_.size());
  header.e_shstrndx = static_cast<uint16_t>(headers_.size() - 1);
  append(headers_.data(), headers_.size() * sizeof(Elf64_Shdr));
  const Elf64_Phdr programs[] = {segmentOf(PT_LOAD, 0, loaded),
                                 segmentOf(PT_NOTE, note.sh_offset, note.sh_size)};
  std::memcpy(file_.data(), &header, sizeof header);
  std::memcpy(file_.data() + sizeof header, programs, sizeof programs);
  return file_;
}

template <class T>
std::vector<uint8_t> bytesOf(const T* values, size_t count) {
  const auto* first = reinterpret_cast<const uint8_t*>(values);
  return {first, first + count * sizeof(T)};
}

std::vector<uint8_t> makeNote() {
  DeviceCoverageNote note = {};
  note.nameSize = sizeof DEVICE_COVERAGE_NOTE_NAME;
  note.descriptorSize = sizeof note - offsetof(DeviceCoverageNote, abi);
  note.type = DEVICE_COVERAGE_NOTE_TYPE;
  std::memcpy(note.name, DEVICE_COVERAGE_NOTE_NAME, sizeof DEVICE_COVERAGE_NOTE_NAME);
  note.abi = DEVICE_COVERAGE_NOTE_ABI;
  note.counterBytes = sizeof(uint64_t);
  note.rawVersionLow = INSTR_PROF_RAW_VERSION;
  return bytesOf(&note, 1);
}

// Names as the compiler stores them without compression: two sizes in LEB128, then all names.
std::vector<uint8_t> makeNames(size_t functions, size_t seed) {
  std::string names;
  for (size_t i = 0; i < functions; ++i) {
    if (i != 0)
      names += '\1';
    names.append("function").append(std::to_string(seed)).append("_").append(std::to_string(i));
  }
  std::vector<uint8_t> section;
  for (size_t size = names.size(); size != 0; size >>= 7)
    section.push_back(static_cast<uint8_t>((size & 0x7f) | (size >= 0x80 ? 0x80 : 0)));
  section.push_back(0); // the compressed size
  section.insert(section.end(), names.begin(), names.end());
  return section;
}

} // namespace

std::vector<uint8_t> makeInstrumentedElf(size_t functions, size_t seed) {
  Writer writer;
  writer.section(DEVICE_COVERAGE_NOTE_SECTION, SHT_NOTE, makeNote());
  writer.section(kNamesSection, SHT_PROGBITS, makeNames(functions, seed));
  // The counters directly before the records, as the linker lays them out.
  const size_t countersSize = functions * kCountersEach * sizeof(uint64_t);
  writer.section(kCountersSection, SHT_PROGBITS, std::vector<uint8_t>(countersSize));
  std::vector<ProfileRecord> records(functions);
  for (size_t i = 0; i < functions; ++i) {
    records[i].NameRef = seed << 32 | i;
    records[i].FuncHash = kCountersEach;
    records[i].NumCounters = kCountersEach;
    records[i].CounterPtr =
        i * kCountersEach * sizeof(uint64_t) - countersSize - i * sizeof(ProfileRecord);
  }
  writer.section(kDataSection, SHT_PROGBITS, bytesOf(records.data(), functions));
  return writer.finish();
}
