// `device-coverage.json`: what to report. Its keys are documented in docs/architecture.md.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace device_coverage {

struct ManifestObject {
  enum class Kind { Host, CodeObject };

  std::filesystem::path path;
  Kind kind = Kind::Host;
};

/// A target ID that the build could not measure, while it measures others.
struct LeftOutTarget {
  std::string target;
  std::string reason;
};

/// Whether the build has device coverage, and if not, the sentence that says why.
struct DeviceCoverageState {
  bool enabled = false;
  std::string blocker;
  std::vector<LeftOutTarget> leftOut = {};
};

struct Manifest {
  std::string report;
  std::filesystem::path sourceDirectory, buildDirectory;
  std::vector<std::filesystem::path> profiles; ///< folders and files
  std::filesystem::path outputDirectory;
  std::string llvmProfdata = "llvm-profdata";
  std::string llvmCov = "llvm-cov";
  std::string llvmVersion; ///< that the build found; empty where no build was asked
  std::optional<DeviceCoverageState> device; ///< nothing where no build was asked
  std::vector<ManifestObject> objects;
  std::vector<std::string> ignore;  ///< patterns, see path_filter.h
  std::vector<std::string> include; ///< not in the file; given on the command line
};

/// Throws Failure, naming the file and the key, for whatever is missing or wrong.
Manifest loadManifest(const std::filesystem::path& path);

} // namespace device_coverage
