// Raw profiles that the tests left, told apart by side.
#pragma once

#include <filesystem>
#include <map>
#include <vector>

#include "message.h"
#include "side.h"

namespace device_coverage {

struct ProfileSet {
  std::map<Side, std::vector<std::filesystem::path>>
      bySide;                     ///< sorted paths, so that runs are repeatable
  std::map<Side, size_t> refused; ///< files left out; their sides have an entry in `bySide` even so
  std::vector<Message> problems;  ///< one for each file left out

  size_t size() const;
};

/// Collects from files, and from folders recursively every `*.profraw`. Files that are empty or do
/// not begin as a profile are left out with a problem each. Throws Failure when a folder or file
/// cannot be read; a folder that does not exist holds no profile.
ProfileSet collectProfiles(const std::vector<std::filesystem::path>& places);

/// Every `*.profraw` below a folder.
std::vector<std::filesystem::path> findRawProfiles(const std::filesystem::path& folder);

} // namespace device_coverage
