#include "elf_reader.h"

namespace device_coverage {
namespace {

/// Names and contents of notes take a multiple of four bytes.
uint64_t aligned(uint64_t size) {
  constexpr uint64_t kAlignment = 4;
  return (size + kAlignment - 1) & ~(kAlignment - 1);
}

std::string hexadecimal(Bytes bytes) {
  std::string text;
  for (const std::byte b : bytes)
    text += fmt::format("{:02x}", std::to_integer<unsigned>(b));
  return text;
}

} // namespace

ElfFile::ElfFile(Bytes bytes) : bytes_(bytes) {
  if (!hasMagic(bytes))
    throw FormatError("is not an ELF file");
  const auto ident = slice(bytes, 0, EI_NIDENT, "the ELF identification");
  if (std::to_integer<int>(ident[EI_CLASS]) != ELFCLASS64 ||
      std::to_integer<int>(ident[EI_DATA]) != ELFDATA2LSB)
    throw FormatError("is not a 64-bit little-endian ELF file");
  header_ = readAt<Elf64_Ehdr>(bytes, 0, "the ELF header");
  if (header_.e_shoff != 0)
    readSections();
}

void ElfFile::readSections() {
  if (header_.e_shentsize != sizeof(Elf64_Shdr))
    throw FormatError(fmt::format("has section headers of {} bytes", header_.e_shentsize));
  // Counts too large for the ELF header stand in the first section header.
  const auto first = readAt<Elf64_Shdr>(bytes_, header_.e_shoff, "the section header table");
  const uint64_t count = header_.e_shnum != 0 ? header_.e_shnum : first.sh_size;
  const uint64_t namesIndex =
      header_.e_shstrndx != SHN_XINDEX ? header_.e_shstrndx : uint64_t{first.sh_link};
  if (count > bytes_.size() / sizeof(Elf64_Shdr))
    throw FormatError(fmt::format("claims {} sections, more than fit into the file", count));
  const Bytes table =
      slice(bytes_, header_.e_shoff, count * sizeof(Elf64_Shdr), "the section header table");
  Bytes names;
  if (namesIndex != SHN_UNDEF) {
    const auto header = readAt<Elf64_Shdr>(table, namesIndex * sizeof(Elf64_Shdr),
                                           "the header of the section name table");
    names = slice(bytes_, header.sh_offset, header.sh_size, "the section name table");
  }
  sections_.reserve(count);
  for (uint64_t i = 0; i < count; ++i) {
    const auto header = readAt<Elf64_Shdr>(table, i * sizeof(Elf64_Shdr), "a section header");
    sections_.push_back(
        {names.empty() ? std::string_view() : stringAt(names, header.sh_name, "a section name"),
         header});
  }
}

const ElfSection* ElfFile::find(std::string_view name) const {
  for (const ElfSection& section : sections_)
    if (section.name == name)
      return &section;
  return nullptr;
}

Bytes ElfFile::content(const ElfSection& section) const {
  if (section.header.sh_type == SHT_NOBITS)
    return {};
  return slice(bytes_, section.header.sh_offset, section.header.sh_size,
               fmt::format("section {}", section.name));
}

std::string ElfFile::buildId() const {
  constexpr std::string_view kName("GNU\0", 4);
  for (const ElfSection& section : sections_) {
    if (section.header.sh_type != SHT_NOTE)
      continue;
    const Bytes notes = content(section);
    for (uint64_t offset = 0; offset + sizeof(Elf64_Nhdr) <= notes.size();) {
      const auto note = readAt<Elf64_Nhdr>(notes, offset, "a note");
      offset += sizeof(note);
      const Bytes name = slice(notes, offset, note.n_namesz, "a note's name");
      offset += aligned(note.n_namesz);
      const Bytes content = slice(notes, offset, note.n_descsz, "a note's content");
      offset += aligned(note.n_descsz);
      if (note.n_type == NT_GNU_BUILD_ID && asText(name) == kName)
        return hexadecimal(content);
    }
  }
  return {};
}

void ElfFile::forEachSymbol(
    const std::function<void(std::string_view, const Elf64_Sym&)>& visit) const {
  const ElfSection* table = nullptr;
  for (const ElfSection& section : sections_)
    if (section.header.sh_type == SHT_SYMTAB ||
        (section.header.sh_type == SHT_DYNSYM && table == nullptr))
      table = &section;
  if (table == nullptr)
    return;
  if (table->header.sh_link >= sections_.size())
    throw FormatError(fmt::format("section {} names section {} for its strings", table->name,
                                  table->header.sh_link));
  const Bytes symbols = content(*table);
  const Bytes strings = content(sections_[table->header.sh_link]);
  for (uint64_t offset = 0; offset + sizeof(Elf64_Sym) <= symbols.size();
       offset += sizeof(Elf64_Sym)) {
    const auto symbol = readAt<Elf64_Sym>(symbols, offset, "a symbol");
    if (symbol.st_name != 0)
      visit(stringAt(strings, symbol.st_name, "a symbol name"), symbol);
  }
}

} // namespace device_coverage
