// What the tests share: device ELFs built beside them, scratch folders, and the toolchain's
// programs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

// The bytes of a device ELF that CMake built: "exact", "covered", "mcdc", "plain", ...
std::vector<uint8_t> deviceElf(const std::string& name);
std::filesystem::path deviceElfPath(const std::string& name);

std::vector<uint8_t> readFile(const std::filesystem::path& path);
void writeFile(const std::filesystem::path& path, const void* bytes, size_t size);

struct CommandResult {
  int status;
  std::string output; // stdout and stderr
};
CommandResult run(const std::string& command);

// A folder of its own for each test, removed with everything in it.
class ScratchFolder {
public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  // Names of the files in it, sorted.
  std::vector<std::string> files() const;

private:
  std::filesystem::path path_;
};

// The counts that `llvm-profdata` reads from raw profiles, one line per function, sorted:
// `<name>: <entry count> <further counts>`. The tool's message where it refuses the file.
std::string countsIn(const std::filesystem::path& profile);
