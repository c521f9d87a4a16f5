#include "raw_profile_writer.h"

#include <cstring>
#include <fstream>
#include <stdexcept>

#include "elf_reader.h"
#include "mapped_file.h"

// The toolchain's own description of the layout: its constants, then the records asked for.
#include "profile/InstrProfData.inc"

enum ValueKind {
#define VALUE_PROF_KIND(Enumerator, Value, Description) Enumerator = (Value),
#include "profile/InstrProfData.inc"
};
using IntPtrT = void*;
struct DataRecord {
#define INSTR_PROF_DATA(Type, LlvmType, Name, Initializer) Type Name;
#include "profile/InstrProfData.inc"
};
struct RawHeader {
#define INSTR_PROF_RAW_HEADER(Type, Name, Initializer) Type Name = 0;
#include "profile/InstrProfData.inc"
};

namespace test_support {
namespace {

using device_coverage::Bytes;
using device_coverage::ElfFile;
using device_coverage::ElfSection;

constexpr uint64_t kMagic = 0xff6c70726f667281;

const ElfSection& sectionOf(const ElfFile& elf, const char* name) {
  const ElfSection* section = elf.find(name);
  if (section == nullptr)
    throw std::runtime_error(std::string("no section ") + name);
  return *section;
}

std::string textOf(Bytes bytes) {
  return std::string(device_coverage::asText(bytes));
}

void setCounters(const ElfFile& elf, const ElfSection& section, const std::string& function,
                 const std::vector<uint64_t>& values, std::string& counters) {
  bool found = false;
  elf.forEachSymbol([&](std::string_view name, const Elf64_Sym& symbol) {
    if (found || name != "__profc_" + function)
      return;
    found = true;
    if (values.size() * sizeof(uint64_t) > symbol.st_size)
      throw std::runtime_error(function + " has fewer counters");
    std::memcpy(counters.data() + (symbol.st_value - section.header.sh_addr), values.data(),
                values.size() * sizeof(uint64_t));
  });
  if (!found)
    throw std::runtime_error("no counters of " + function);
}

// Its length and its bytes, padded.
std::string binaryIds(const std::string& id) {
  const uint64_t size = id.size();
  std::string text(reinterpret_cast<const char*>(&size), sizeof(size));
  return text + id + std::string((8 - id.size() % 8) % 8, '\0');
}

} // namespace

void writeRawProfile(const std::filesystem::path& image,
                     const std::map<std::string, std::vector<uint64_t>>& counters,
                     const std::filesystem::path& profile, const std::string& binaryId) {
  const device_coverage::MappedFile file(image, "test");
  const ElfFile elf(file.bytes());
  const ElfSection& dataSection = sectionOf(elf, "__llvm_prf_data");
  const ElfSection& counterSection = sectionOf(elf, "__llvm_prf_cnts");
  const std::string data = textOf(elf.content(dataSection));
  const std::string names = textOf(elf.content(sectionOf(elf, "__llvm_prf_names")));
  std::string values(counterSection.header.sh_size, '\0');
  for (const auto& [function, wanted] : counters)
    setCounters(elf, counterSection, function, wanted, values);

  RawHeader header;
  header.Magic = kMagic;
  header.Version = INSTR_PROF_RAW_VERSION;
  header.NumData = data.size() / sizeof(DataRecord);
  header.NumCounters = values.size() / sizeof(uint64_t);
  header.NamesSize = names.size();
  header.CountersDelta = counterSection.header.sh_addr - dataSection.header.sh_addr;
  header.ValueKindLast = IPVK_Last;
  const std::string ids = binaryId.empty() ? "" : binaryIds(binaryId);
  header.BinaryIdsSize = ids.size();
  std::ofstream stream(profile, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(&header), sizeof(header));
  stream << ids << data << values << names << std::string((8 - names.size() % 8) % 8, '\0');
  stream.close();
  if (!stream)
    throw std::runtime_error("cannot write " + profile.string());
}

} // namespace test_support
