// The parts of a 64-bit little-endian ELF file that the program needs: header fields, sections,
// symbols.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <elf.h>

#include "bytes.h"

namespace device_coverage {

struct ElfSection {
  std::string_view name;
  Elf64_Shdr header;
};

/// A view into the file's bytes, which must outlive it. The constructor checks the header and the
/// section table; the content of a section is checked when it is asked for. All throw FormatError.
class ElfFile {
public:
  static bool hasMagic(Bytes bytes) {
    return startsWith(bytes, "\x7f"
                             "ELF");
  }

  explicit ElfFile(Bytes bytes);

  const Elf64_Ehdr& header() const noexcept { return header_; }
  const std::vector<ElfSection>& sections() const noexcept { return sections_; }
  Bytes bytes() const noexcept { return bytes_; }

  /// The first section of that name, or nothing.
  const ElfSection* find(std::string_view name) const;

  /// What the file holds of a section (nothing for .bss and its like).
  Bytes content(const ElfSection& section) const;

  /// The GNU build ID in hexadecimal, or nothing.
  std::string buildId() const;

  /// Calls `visit` with the name and entry of each symbol of the symbol table, or of the dynamic
  /// one where the file was stripped.
  void forEachSymbol(const std::function<void(std::string_view, const Elf64_Sym&)>& visit) const;

private:
  void readSections();

  Bytes bytes_;
  Elf64_Ehdr header_{};
  std::vector<ElfSection> sections_;
};

} // namespace device_coverage
