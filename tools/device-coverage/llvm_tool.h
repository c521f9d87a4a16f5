// One of the toolchain's programs, run with its failures turned into messages.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "child_process.h"

namespace device_coverage {

class LlvmTool {
public:
  /// `path` is a path, or a name to be found in PATH; `name` is what messages call the program.
  LlvmTool(std::string name, std::string path) : name_(std::move(name)), path_(std::move(path)) {}

  const std::string& path() const noexcept { return path_; }

  /// Runs the program whatever its exit status. Throws Failure when it cannot be started or a
  /// signal ended it.
  ChildResult run(std::vector<std::string> arguments,
                  const std::optional<std::filesystem::path>& output = std::nullopt) const;

  /// As run(), and throws Failure with the program's own words when its exit status is not 0.
  ChildResult runChecked(std::vector<std::string> arguments,
                         const std::optional<std::filesystem::path>& output = std::nullopt) const;

  /// "22.1.8", as the program states. Throws Failure when it cannot be run, so that one missing
  /// tool is told before any work is done.
  std::string version() const;

private:
  std::string name_;
  std::string path_;
};

/// The lines of a program's output, without empty ones.
std::vector<std::string> splitLines(const std::string& text);

/// What a program says of its failure, in one line: its errors, without the dumps around them.
std::string failureText(const std::string& errorOutput);

/// An argument as LLVM's response files need it: quoted, with backslashes and quotes escaped.
std::string responseFileArgument(const std::string& argument);

} // namespace device_coverage
