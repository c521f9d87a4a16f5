#include "image_survey.h"

#include "object_scan.h"

namespace device_coverage {
namespace {

constexpr std::string_view kDrainName = "libdevice_coverage.so";

/// Whether a host image names the drain among the libraries that it needs.
bool needsDrain(const ElfFile& elf) {
  const ElfSection* dynamic = elf.find(".dynamic");
  if (dynamic == nullptr || dynamic->header.sh_link >= elf.sections().size())
    return false;
  const Bytes entries = elf.content(*dynamic);
  const Bytes strings = elf.content(elf.sections()[dynamic->header.sh_link]);
  for (uint64_t offset = 0; offset + sizeof(Elf64_Dyn) <= entries.size();
       offset += sizeof(Elf64_Dyn)) {
    const auto entry = readAt<Elf64_Dyn>(entries, offset, "a dynamic entry");
    if (entry.d_tag == DT_NEEDED &&
        stringAt(strings, entry.d_un.d_val, "a needed library").starts_with(kDrainName))
      return true;
  }
  return false;
}

uint64_t debugInformationIn(const ElfFile& elf) {
  uint64_t size = 0;
  for (const ElfSection& section : elf.sections())
    if (section.name.starts_with(".debug_"))
      size += section.header.sh_size;
  return size;
}

class Surveyor : public ObjectVisitor {
public:
  Surveyor(const std::filesystem::path& file, ImageSurvey& survey) : survey_(survey) {
    size_.file = file;
  }

  const DeviceCodeSize& size() const noexcept { return size_; }

  void hostImage(const Origin&, const ElfFile& elf) override {
    survey_.needsDrain |= needsDrain(elf);
  }

  void codeObject(const Origin&, const CodeObject& object) override {
    ++survey_.codeObjects;
    size_.total += object.file().bytes().size();
    size_.debugInformation += debugInformationIn(object.file());
    survey_.targets.insert(object.target().text());
    if (!object.isInstrumented())
      return;
    ++survey_.instrumented;
    survey_.functions += coverageFunctionCount(object.file());
    object.file().forEachSymbol([&](std::string_view name, const Elf64_Sym& symbol) {
      // A weak reference may stay without a definition.
      if (symbol.st_shndx == SHN_UNDEF && ELF64_ST_BIND(symbol.st_info) == STB_GLOBAL &&
          name.starts_with("__llvm_profile_"))
        survey_.undefined.emplace(name);
    });
  }

private:
  ImageSurvey& survey_;
  DeviceCodeSize size_;
};

} // namespace

void surveyImages(const std::filesystem::path& file, ImageSurvey& survey) {
  Surveyor surveyor(file, survey);
  scanObject(file, "objects", surveyor);
  if (surveyor.size().total > survey.largest.total)
    survey.largest = surveyor.size();
}

} // namespace device_coverage
