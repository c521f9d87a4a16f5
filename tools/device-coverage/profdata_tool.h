// llvm-profdata: raw profiles of one side into one indexed profile.
#pragma once

#include <filesystem>
#include <vector>

#include "llvm_tool.h"
#include "message.h"

namespace device_coverage {

struct MergeResult {
  size_t merged = 0;              ///< how many profiles are in the indexed profile
  size_t functions = 0;           ///< how many functions' counters it holds
  std::vector<Message> problems;  ///< one for each profile that was refused
  std::vector<std::string> notes; ///< what llvm-profdata remarked otherwise
};

class ProfdataTool {
public:
  explicit ProfdataTool(LlvmTool tool) : tool_(std::move(tool)) {}

  std::string version() const { return tool_.version(); }

  /// Merges into `output`. A profile that llvm-profdata refuses is left out whole, with a problem,
  /// and the others are merged without it: llvm-profdata alone would keep what it read before the
  /// damage. `merged` 0 means that no output was written.
  MergeResult merge(std::vector<std::filesystem::path> profiles,
                    const std::filesystem::path& output) const;

private:
  size_t functionCount(const std::filesystem::path& profile) const;

  LlvmTool tool_;
};

} // namespace device_coverage
