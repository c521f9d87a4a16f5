#include "elf_image.h"

namespace device_coverage {
namespace {

constexpr uint16_t kMachineAmdgpu = 224; // EM_AMDGPU, missing from older elf.h

uint64_t alignedToFour(uint64_t size) {
  return (size + 3) & ~uint64_t{3};
}

bool isAmdgpuElf(const Elf64_Ehdr& header) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB &&
         header.e_machine == kMachineAmdgpu;
}

} // namespace

bool ElfImage::open(const Bytes& file, Reason& reason) {
  *this = ElfImage();
  file_ = file;
  if (!file.read(0, header_)) {
    reason.format("its %zu bytes are too few for an ELF header", file.size);
    return false;
  }
  if (!isAmdgpuElf(header_)) {
    reason.append("it is not a 64-bit little-endian AMDGPU ELF");
    return false;
  }
  return readProgramHeaders(reason) && readSectionHeaders(reason);
}

bool ElfImage::readProgramHeaders(Reason& reason) {
  if (header_.e_phentsize != sizeof(Elf64_Phdr)) {
    reason.format("its program headers are %u bytes each, not %zu", header_.e_phentsize,
                  sizeof(Elf64_Phdr));
    return false;
  }
  bool anyLoaded = false;
  for (uint32_t i = 0; i < header_.e_phnum; ++i) {
    Elf64_Phdr program;
    if (!programHeader(i, program)) {
      reason.format("its program header %u is outside its %zu bytes", i, file_.size);
      return false;
    }
    if (program.p_type != PT_LOAD)
      continue;
    if (program.p_memsz > UINT64_MAX - program.p_vaddr) {
      reason.format("its loaded segment %u ends beyond the address space", i);
      return false;
    }
    if (!anyLoaded || program.p_vaddr < lowestAddress_)
      lowestAddress_ = program.p_vaddr;
    if (program.p_vaddr + program.p_memsz > highestAddress_)
      highestAddress_ = program.p_vaddr + program.p_memsz;
    anyLoaded = true;
  }
  if (!anyLoaded)
    reason.append("it has no loaded segment");
  return anyLoaded;
}

bool ElfImage::readSectionHeaders(Reason& reason) {
  if (header_.e_shoff == 0 || header_.e_shnum == 0)
    return true;
  Elf64_Shdr names;
  if (header_.e_shentsize != sizeof(Elf64_Shdr) || !sectionHeader(header_.e_shstrndx, names) ||
      !file_.slice(names.sh_offset, names.sh_size, names_)) {
    reason.format("its section names (section %u) are outside its %zu bytes", header_.e_shstrndx,
                  file_.size);
    return false;
  }
  sectionCount_ = header_.e_shnum;
  return true;
}

bool ElfImage::programHeader(uint32_t index, Elf64_Phdr& program) const {
  Bytes table;
  return file_.slice(header_.e_phoff, uint64_t{header_.e_phnum} * sizeof program, table) &&
         table.read(uint64_t{index} * sizeof program, program);
}

bool ElfImage::sectionHeader(uint32_t index, Elf64_Shdr& section) const {
  Bytes table;
  return file_.slice(header_.e_shoff, uint64_t{header_.e_shnum} * sizeof section, table) &&
         table.read(uint64_t{index} * sizeof section, section);
}

bool ElfImage::sectionIsNamed(const Elf64_Shdr& section, const char* name) const {
  Bytes found;
  const size_t length = std::strlen(name) + 1;
  return names_.slice(section.sh_name, length, found) && std::memcmp(found.data, name, length) == 0;
}

bool ElfImage::findSection(const char* name, Section& section, Reason& reason) const {
  for (uint32_t i = 0; i < sectionCount_; ++i) {
    Elf64_Shdr header;
    if (!sectionHeader(i, header)) {
      reason.format("its section header %u is outside its %zu bytes", i, file_.size);
      return false;
    }
    if ((header.sh_flags & SHF_ALLOC) == 0 || !sectionIsNamed(header, name))
      continue;
    section = Section{name, header.sh_addr, Bytes(), header.sh_size};
    const bool hasBytes = header.sh_type != SHT_NOBITS;
    if (hasBytes && !file_.slice(header.sh_offset, header.sh_size, section.bytes)) {
      reason.format("its section %s (%llu bytes at offset %llu) is outside its %zu bytes", name,
                    static_cast<unsigned long long>(header.sh_size),
                    static_cast<unsigned long long>(header.sh_offset), file_.size);
      return false;
    }
    if (header.sh_addr < lowestAddress_ || header.sh_addr > highestAddress_ ||
        header.sh_size > highestAddress_ - header.sh_addr) {
      reason.format("its section %s (%llu bytes at address 0x%llx) is outside its loaded segments",
                    name, static_cast<unsigned long long>(header.sh_size),
                    static_cast<unsigned long long>(header.sh_addr));
      return false;
    }
    return true;
  }
  return false;
}

bool ElfImage::noteSegment(uint32_t index, Bytes& notes) const {
  Elf64_Phdr program;
  return programHeader(index, program) && program.p_type == PT_NOTE &&
         file_.slice(program.p_offset, program.p_filesz, notes);
}

bool ElfImage::nextNote(Bytes& rest, Note& note) {
  Elf64_Nhdr header;
  if (!rest.read(0, header))
    return false;
  const uint64_t nameEnd = sizeof header + alignedToFour(header.n_namesz);
  if (!rest.slice(sizeof header, header.n_namesz, note.name) ||
      !rest.slice(nameEnd, header.n_descsz, note.descriptor))
    return false;
  note.type = header.n_type;
  const uint64_t end = nameEnd + alignedToFour(header.n_descsz);
  Bytes following;
  if (rest.slice(end, rest.size > end ? rest.size - end : 0, following))
    rest = following;
  else
    rest = Bytes(); // the last note may lack its padding
  return true;
}

} // namespace device_coverage
