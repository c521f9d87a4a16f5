// Runs a program as a test sees it: arguments, changed environment, exit status, what it said.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

struct CommandResult {
  int status = -1;    ///< exit status, or 128 + the signal's number
  std::string output; ///< standard output and error, as they came
};

struct Command {
  std::vector<std::string> arguments;
  std::map<std::string, std::string> environment = {}; ///< added to this process's own
  std::vector<std::string> unset = {};                 ///< variables the program must not see
  std::filesystem::path directory = ".";

  /// Waits for the end. Throws std::system_error when the program cannot be started.
  CommandResult run() const;
};
