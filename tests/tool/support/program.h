// The program under test, run as its users run it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "child_process.h"
#include "temporary_folder.h"

namespace test_support {

/// Runs device-coverage with these arguments.
inline device_coverage::ChildResult runProgram(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), DEVICE_COVERAGE_PROGRAM);
  return device_coverage::runChild(arguments);
}

/// A file that the build made from tests/tool/fixtures.
inline std::filesystem::path fixture(const std::string& name) {
  return std::filesystem::path(FIXTURE_FOLDER) / name;
}

inline std::string llvmTool(const std::string& name) {
  return (std::filesystem::path(LLVM_BIN_FOLDER) / name).string();
}

/// Names in a folder; empty when it does not exist.
inline std::vector<std::string> namesIn(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  if (std::filesystem::exists(folder))
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      names.push_back(entry.path().filename().string());
  return names;
}

inline size_t countLines(const std::string& text) {
  size_t lines = 0;
  for (const char c : text)
    lines += c == '\n' ? 1 : 0;
  return lines;
}

} // namespace test_support
