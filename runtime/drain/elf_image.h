// The parts of an AMDGPU ELF that the drain needs. The bytes come from the application, and a
// runtime may describe them wrongly: every offset and size is checked, and nothing is assumed to be
// aligned.
#pragma once

#include "bytes.h"
#include "text.h"

#include <elf.h>

namespace device_coverage {

class ElfImage {
public:
  struct Section {
    const char* name; // as asked for
    uint64_t address; // virtual, as linked
    Bytes bytes;      // empty for a section without bytes in the file
    uint64_t size;    // in memory
  };

  // False with a reason when the bytes are not a 64-bit little-endian AMDGPU ELF with a whole
  // program-header table. An ELF without section headers is accepted; it has no sections.
  bool open(const Bytes& file, Reason& reason);

  uint8_t abiVersion() const { return header_.e_ident[EI_ABIVERSION]; }
  uint32_t flags() const { return header_.e_flags; }
  bool hasSections() const { return sectionCount_ != 0; }

  // The lowest virtual address of a loaded segment, which the loader places at its segment base.
  uint64_t lowestAddress() const { return lowestAddress_; }
  // One past the highest virtual address of a loaded segment.
  uint64_t highestAddress() const { return highestAddress_; }

  // Looks for an allocated section of this name. False when there is none; a section that is there
  // but not inside the file or the loaded segments makes `reason` non-empty too.
  bool findSection(const char* name, Section& section, Reason& reason) const;

  // Calls `visit` with the descriptor of each note of this name and type, through PT_NOTE, until it
  // returns false. `visit` is a callable bool(const Bytes& descriptor).
  template <class Visitor>
  void visitNotes(const char* name, uint32_t type, Visitor visit) const {
    for (uint32_t i = 0; i < header_.e_phnum; ++i) {
      Bytes rest;
      if (!noteSegment(i, rest))
        continue;
      Note note;
      while (nextNote(rest, note))
        if (note.type == type && note.isNamed(name) && !visit(note.descriptor))
          return;
    }
  }

private:
  struct Note {
    uint32_t type;
    Bytes name;
    Bytes descriptor;
    bool isNamed(const char* text) const {
      return name.equals(Bytes{reinterpret_cast<const uint8_t*>(text), std::strlen(text) + 1});
    }
  };

  bool readProgramHeaders(Reason& reason);
  bool readSectionHeaders(Reason& reason);
  bool programHeader(uint32_t index, Elf64_Phdr& program) const;
  bool sectionHeader(uint32_t index, Elf64_Shdr& section) const;
  bool sectionIsNamed(const Elf64_Shdr& section, const char* name) const;
  bool noteSegment(uint32_t index, Bytes& notes) const;
  static bool nextNote(Bytes& rest, Note& note);

  Bytes file_;
  Elf64_Ehdr header_ = {};
  Bytes names_; // the section-name table
  uint32_t sectionCount_ = 0;
  uint64_t lowestAddress_ = 0;
  uint64_t highestAddress_ = 0;
};

} // namespace device_coverage
