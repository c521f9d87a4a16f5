// One AMDGPU ELF: for which target, with which kernels, instrumented or not.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "elf_reader.h"
#include "target_id.h"

namespace device_coverage {

/// Whether an ELF file of any machine carries LLVM's coverage map, without which llvm-cov refuses
/// it.
bool hasCoverageMap(const ElfFile& file);

/// The number of function records in the coverage map, never-run functions included.
size_t coverageFunctionCount(const ElfFile& file);

/// A view into an AMDGPU ELF's bytes, which must outlive it.
class CodeObject {
public:
  static bool isOne(const ElfFile& file) { return file.header().e_machine == EM_AMDGPU; }

  /// The target comes from the ELF header's flags. A processor that this version does not know is
  /// named by `stated`, the target that the container of the code object states; without one
  /// FormatError is thrown.
  explicit CodeObject(ElfFile file, const std::optional<TargetId>& stated = std::nullopt);

  const TargetId& target() const noexcept { return target_; }
  bool isInstrumented() const { return hasCoverageMap(file_); }
  const ElfFile& file() const noexcept { return file_; }

  /// Names of the kernels, by their descriptors (`<name>.kd`), in the symbol table's order.
  std::vector<std::string> kernels() const;

private:
  ElfFile file_;
  TargetId target_;
};

} // namespace device_coverage
