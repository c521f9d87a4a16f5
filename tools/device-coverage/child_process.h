// Runs another program without a shell.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace device_coverage {

struct ChildResult {
  int status = 0;          ///< exit status, or 128 + the signal that ended it
  std::string errorOutput; ///< all of its stderr
  std::string output;      ///< all of its stdout, unless it went to a file
};

/// Runs `arguments[0]` (a path, or a name to be found in PATH) and waits for it. Its stdout goes to
/// `outputFile` where one is given. Throws std::system_error when the program cannot be started.
ChildResult runChild(const std::vector<std::string>& arguments,
                     const std::optional<std::filesystem::path>& outputFile = std::nullopt);

/// Runs a program in the foreground: with this process's streams and terminal, and with
/// `environment` added. Returns its exit status, or 128 + the signal that ended it. An interrupt
/// from the terminal reaches the program and leaves this process alone, so that it can still tell
/// what came of it. Throws as runChild().
int runForeground(const std::vector<std::string>& arguments,
                  const std::vector<std::pair<std::string, std::string>>& environment);

} // namespace device_coverage
