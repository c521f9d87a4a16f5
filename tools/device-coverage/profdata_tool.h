// llvm-profdata: raw profiles of one side into one indexed profile.
#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "llvm_tool.h"
#include "message.h"

namespace device_coverage {

struct MergeResult {
  size_t merged = 0;                           ///< how many profiles are in the indexed profile
  size_t functions = 0;                        ///< how many functions' counters it holds
  std::vector<Message> problems;               ///< one for each profile that was refused
  std::vector<std::string> notes;              ///< what llvm-profdata remarked otherwise
  std::vector<std::string> ambiguousFunctions; ///< those of which there are counters of two bodies
  std::set<std::string> binaryIds;             ///< of the code that counted, hexadecimal
};

class ProfdataTool {
public:
  explicit ProfdataTool(LlvmTool tool) : tool_(std::move(tool)) {}

  std::string version() const { return tool_.version(); }

  /// How many of the profiles that were given have been read.
  using Progress = std::function<void(size_t read, size_t given)>;

  /// Merges into `output`, in batches that llvm-profdata reads with all processors. A profile that
  /// llvm-profdata refuses is left out whole, with a problem, and the others are merged without it:
  /// llvm-profdata alone would keep what it read before the damage. `merged` 0 means that no output
  /// was written.
  MergeResult merge(const std::vector<std::filesystem::path>& profiles,
                    const std::filesystem::path& output, const Progress& progress) const;

private:
  MergeResult mergeBatch(std::vector<std::filesystem::path> profiles,
                         const std::filesystem::path& output) const;
  void join(const std::vector<std::filesystem::path>& parts,
            const std::filesystem::path& output) const;
  void listFunctions(const std::filesystem::path& profile, MergeResult& result) const;

  LlvmTool tool_;
};

} // namespace device_coverage
