// llvm-cov: an indexed profile and the objects of one side into counts and pages.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "coverage.h"
#include "llvm_tool.h"
#include "path_filter.h"
#include "path_map.h"

namespace device_coverage {

/// What llvm-cov is asked about: never objects of two sides together.
struct CovInput {
  Side side = Side::host();
  std::filesystem::path profile;              ///< indexed
  std::vector<std::filesystem::path> objects; ///< each with a coverage map
  std::vector<PathMapping> pathMap;           ///< applied to all paths of sources
};

struct CovResult {
  SideCoverage coverage;
  std::vector<std::string> ignoredFiles; ///< left out by the filter, each with the reason
  std::vector<std::string> notes;        ///< what llvm-cov remarked
};

class CovTool {
public:
  /// Intermediate files go into `scratch`, which must exist.
  CovTool(LlvmTool tool, std::filesystem::path scratch)
      : tool_(std::move(tool)), scratch_(std::move(scratch)) {}

  std::string version() const { return tool_.version(); }

  /// The coverage of one side, source files that the filter ignores left out of its totals too.
  CovResult measure(const CovInput& input, const PathFilter& filter) const;

  /// llvm-cov's own pages of the given source files.
  void writeHtml(const CovInput& input, const std::vector<std::string>& sources,
                 const std::filesystem::path& folder) const;

private:
  std::filesystem::path writeResponseFile(const CovInput& input,
                                          const std::vector<std::string>& sources) const;
  std::vector<std::string> mismatchedFunctions(const std::filesystem::path& response) const;

  LlvmTool tool_;
  std::filesystem::path scratch_;
};

} // namespace device_coverage
