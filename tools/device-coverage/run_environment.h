// How a program must be started so that it leaves profiles.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace device_coverage {

struct RunSettings {
  std::filesystem::path profiles = "profiles"; ///< folder for the profiles
  std::string name = "%p-%m.profraw";          ///< LLVM_PROFILE_FILE pattern within that folder
  std::optional<std::filesystem::path>
      drain;            ///< libdevice_coverage.so, for a host that is not linked with it
  std::string simulate; ///< `gfx90a:2`: on that many simulated GPUs; empty: on real ones
};

using Environment = std::vector<std::pair<std::string, std::string>>;

/// Variables to set. The profile folder is absolute in them, so that programs may change their
/// folder. Throws Failure when the drain does not exist.
Environment runEnvironment(const RunSettings& settings);

/// The command to start `program` with: through the simulator where that is asked for. Throws
/// Failure when amdgpu-simulator is neither beside this program nor in PATH.
std::vector<std::string> runCommand(const RunSettings& settings,
                                    const std::vector<std::string>& program);

} // namespace device_coverage
