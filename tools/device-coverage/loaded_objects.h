// Which objects a profile is of, by their build IDs.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace device_coverage {

struct LoadedObjects {
  std::vector<std::filesystem::path> wanted; ///< loaded, or without a build ID to tell by
  std::vector<std::filesystem::path> unloaded;
  size_t undecided = 0; ///< of `wanted`, those without a build ID
};

/// Tells objects apart by whether their build ID is among a profile's `binaryIds`, which are
/// hexadecimal.
LoadedObjects splitByLoaded(const std::vector<std::filesystem::path>& objects,
                            const std::set<std::string>& binaryIds);

} // namespace device_coverage
