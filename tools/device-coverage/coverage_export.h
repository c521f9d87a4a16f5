// Reads what `llvm-cov export` writes.
#pragma once

#include <filesystem>

#include "coverage.h"

namespace device_coverage {

/// Receives an export piece by piece: all files, then all functions.
class ExportVisitor {
public:
  virtual ~ExportVisitor() = default;

  virtual void file(FileCoverage file) = 0;
  virtual void function(const std::string& path, FunctionCoverage function) = 0;
};

/// Reads an export in JSON; memory does not grow with the number of files and functions. Throws
/// Failure when the file is no such export.
void readCoverageExport(const std::filesystem::path& path, ExportVisitor& visitor);

} // namespace device_coverage
