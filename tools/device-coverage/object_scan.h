// Walks through any file that may hold device code and reports what it finds there.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "code_object.h"
#include "offload_container.h"

namespace device_coverage {

/// Where something was found.
struct Origin {
  std::filesystem::path file;
  std::string member;                ///< of an archive, or empty
  std::string section;               ///< of an ELF file, or empty
  std::optional<uint64_t> container; ///< offset of the container in the section or file
  std::string entryId;               ///< of the container's entry, or empty

  /// `libfoo.a(bar.o), .hip_fatbin+4096, hipv4-...`
  std::string text() const;
};

/// What a scan finds. Everything that is passed is valid during the call only.
class ObjectVisitor {
public:
  virtual ~ObjectVisitor() = default;

  virtual void hostImage(const Origin&, const ElfFile&) {}
  virtual void container(const Origin&, const OffloadContainer&) {}
  virtual void codeObject(const Origin&, const CodeObject&) {}
};

/// Scans the content of a file whose name is `origin.file`, see scanObject(). Throws FormatError.
void scanBytes(const Origin& origin, Bytes bytes, ObjectVisitor& visitor);

/// Scans a host ELF file (executable, shared library, object file), an archive of such, a code
/// object, or a fat binary. Throws Failure, naming `phase`, when the file is none of these or is
/// damaged; what stood before the damage was visited.
void scanObject(const std::filesystem::path& path, const std::string& phase,
                ObjectVisitor& visitor);

} // namespace device_coverage
