#include "packets/loaded_image.h"

#include <algorithm>
#include <cstring>

namespace gpusim {
namespace {

constexpr uint64_t kPageSize = 4096;

struct DynamicTables {
  uint64_t symbols = 0;
  uint64_t strings = 0;
  uint64_t hash = 0;
};

DynamicTables findTables(const LoadedImage& image) {
  DynamicTables tables;
  const Elf64_Phdr* dynamic = image.segment(PT_DYNAMIC);
  const uint64_t count = dynamic == nullptr ? 0 : dynamic->p_memsz / sizeof(Elf64_Dyn);
  const auto* entries = count == 0 ? nullptr : image.at<Elf64_Dyn>(dynamic->p_vaddr, count);
  for (uint64_t i = 0; entries != nullptr && i < count; ++i) {
    if (entries[i].d_tag == DT_SYMTAB)
      tables.symbols = entries[i].d_un.d_ptr;
    else if (entries[i].d_tag == DT_STRTAB)
      tables.strings = entries[i].d_un.d_ptr;
    else if (entries[i].d_tag == DT_HASH)
      tables.hash = entries[i].d_un.d_ptr;
  }
  return tables;
}

} // namespace

std::optional<LoadedImage> LoadedImage::around(const GuestMemory& memory, uint64_t kernelObject) {
  const MemoryRange range = memory.find(kernelObject);
  // The ELF header starts the page of the first segment, somewhere below the descriptor.
  const uint64_t lowest = (range.begin + kPageSize - 1) & ~(kPageSize - 1);
  for (uint64_t page = kernelObject & ~(kPageSize - 1); page >= lowest && page != 0;
       page -= kPageSize) {
    if (range.begin != range.end &&
        std::memcmp(range.host + (page - range.begin), ELFMAG, SELFMAG) == 0)
      return LoadedImage(range, page);
  }
  return std::nullopt;
}

std::string_view LoadedImage::text(uint64_t offset) const {
  const char* begin = at<char>(offset);
  const uint64_t room = range_.end - base_ - offset;
  return begin == nullptr ? std::string_view() : std::string_view(begin, strnlen(begin, room));
}

const Elf64_Phdr* LoadedImage::segment(uint32_t type) const {
  const auto* header = at<Elf64_Ehdr>(0);
  const auto* segments =
      header == nullptr ? nullptr : at<Elf64_Phdr>(header->e_phoff, header->e_phnum);
  if (segments == nullptr)
    return nullptr;
  const auto* end = segments + header->e_phnum;
  const auto* found =
      std::find_if(segments, end, [type](const Elf64_Phdr& s) { return s.p_type == type; });
  return found == end ? nullptr : found;
}

std::string_view LoadedImage::symbolAt(uint64_t address) const {
  const uint64_t offset = address - base_;
  const DynamicTables tables = findTables(*this);
  const auto* hash = at<uint32_t>(tables.hash, 2);
  const uint32_t count = tables.hash == 0 || hash == nullptr ? 0 : hash[1];
  const auto* symbols = at<Elf64_Sym>(tables.symbols, count);
  for (uint32_t i = 0; symbols != nullptr && i < count; ++i)
    if (symbols[i].st_value == offset && symbols[i].st_shndx != SHN_UNDEF)
      return text(tables.strings + symbols[i].st_name);
  return {};
}

} // namespace gpusim
