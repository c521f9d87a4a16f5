#include "packets/kernel_name.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

#include <elf.h>

#include "driver/log.h"

namespace gpusim {
namespace {

constexpr uint64_t kPageSize = 4096;

/// A loaded ELF image within one mapping.
class LoadedImage {
public:
  LoadedImage(const MemoryRange& range, uint64_t base) : range_(range), base_(base) {}

  /// `Item` at `offset` of the image, when it lies within the mapping.
  template <typename Item>
  const Item* at(uint64_t offset, uint64_t count = 1) const {
    const uint64_t room = range_.end - base_;
    if (offset > room || count > (room - offset) / sizeof(Item))
      return nullptr;
    return reinterpret_cast<const Item*>(range_.host + (base_ - range_.begin) + offset);
  }

  std::string_view text(uint64_t offset) const {
    const char* begin = at<char>(offset);
    const uint64_t room = range_.end - base_ - offset;
    return begin == nullptr ? std::string_view() : std::string_view(begin, strnlen(begin, room));
  }

private:
  MemoryRange range_;
  uint64_t base_;
};

struct DynamicTables {
  uint64_t symbols = 0;
  uint64_t strings = 0;
  uint64_t hash = 0;
};

std::optional<DynamicTables> findTables(const LoadedImage& image) {
  const auto* header = image.at<Elf64_Ehdr>(0);
  const auto* segments =
      header == nullptr ? nullptr : image.at<Elf64_Phdr>(header->e_phoff, header->e_phnum);
  if (segments == nullptr)
    return std::nullopt;
  const auto* dynamic = std::find_if(segments, segments + header->e_phnum,
                                     [](const Elf64_Phdr& s) { return s.p_type == PT_DYNAMIC; });
  if (dynamic == segments + header->e_phnum)
    return std::nullopt;
  const uint64_t count = dynamic->p_memsz / sizeof(Elf64_Dyn);
  const auto* entries = image.at<Elf64_Dyn>(dynamic->p_vaddr, count);
  DynamicTables tables;
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

/// The symbol of the image whose value is `offset`.
std::string_view symbolAt(const LoadedImage& image, const DynamicTables& tables, uint64_t offset) {
  const auto* hash = image.at<uint32_t>(tables.hash, 2);
  const uint32_t count = tables.hash == 0 || hash == nullptr ? 0 : hash[1];
  const auto* symbols = image.at<Elf64_Sym>(tables.symbols, count);
  for (uint32_t i = 0; symbols != nullptr && i < count; ++i)
    if (symbols[i].st_value == offset && symbols[i].st_shndx != SHN_UNDEF)
      return image.text(tables.strings + symbols[i].st_name);
  return {};
}

std::string_view findName(const MemoryRange& range, uint64_t kernelObject) {
  // The ELF header starts the page of the first segment, somewhere below the descriptor.
  const uint64_t lowest = (range.begin + kPageSize - 1) & ~(kPageSize - 1);
  for (uint64_t page = kernelObject & ~(kPageSize - 1); page >= lowest && page != 0;
       page -= kPageSize) {
    if (std::memcmp(range.host + (page - range.begin), ELFMAG, SELFMAG) != 0)
      continue;
    const LoadedImage image(range, page);
    const auto tables = findTables(image);
    return tables ? symbolAt(image, *tables, kernelObject - page) : std::string_view();
  }
  return {};
}

} // namespace

std::string kernelName(const GuestMemory& memory, uint64_t kernelObject) {
  const MemoryRange range = memory.find(kernelObject);
  std::string_view name;
  if (range.begin != range.end)
    name = findName(range, kernelObject);
  constexpr std::string_view kSuffix = ".kd";
  if (name.ends_with(kSuffix))
    name.remove_suffix(kSuffix.size());
  return name.empty() ? "kernel at " + hex(kernelObject) : std::string(name);
}

} // namespace gpusim
