// The binary ID that ties a raw profile of the drain to the code object whose counters it holds.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "elf_reader.h"

namespace device_coverage {

/// As the drain makes it: the build ID, or for an ELF without one a hash of all its bytes
/// (runtime/drain/code_object.cpp). Hexadecimal, as llvm-profdata shows it. Throws FormatError when
/// a note does not lie in the file.
std::string binaryIdText(const ElfFile& file);

/// Those of `ids` that none of the code objects has. Throws Failure when one cannot be read.
std::set<std::string> idsWithoutObject(std::set<std::string> ids,
                                       const std::vector<std::filesystem::path>& codeObjects);

} // namespace device_coverage
