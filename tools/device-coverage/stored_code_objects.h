// Code objects that a drain stored beside its profiles, because they are in no other file: those of
// code that was compiled at run time or handed over in memory.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "manifest.h"

namespace device_coverage {

/// Every `code-objects/*.hsaco` below the folders, and beside the profiles, that `places` names;
/// sorted, each once. Throws Failure when a folder cannot be read.
std::vector<ManifestObject> storedCodeObjects(const std::vector<std::filesystem::path>& places);

/// Takes those out whose binary ID, which the drain puts into the file's name, is none of `ids`:
/// they are of other builds or runs than the profiles. Returns how many. Profiles without any IDs
/// tell nothing, and all stay.
size_t removeUnnamed(std::vector<ManifestObject>& stored, const std::set<std::string>& ids);

} // namespace device_coverage
