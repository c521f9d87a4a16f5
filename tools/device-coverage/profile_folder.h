// Raw profiles that the tests left, told apart by side.
#pragma once

#include <filesystem>
#include <map>
#include <string_view>
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

/// Every file below a folder whose name has that extension, by absolute path and sorted; none where
/// there is no such folder. Throws Failure when it cannot be read.
std::vector<std::filesystem::path> findFiles(const std::filesystem::path& folder,
                                             std::string_view extension);

/// Every `*.profraw` below a folder.
std::vector<std::filesystem::path> findRawProfiles(const std::filesystem::path& folder);

} // namespace device_coverage
