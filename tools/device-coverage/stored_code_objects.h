// Code objects that a drain stored beside its profiles, because they are in no other file: those of
// code that was compiled at run time or handed over in memory.
#pragma once

#include <filesystem>
#include <vector>

#include "manifest.h"

namespace device_coverage {

/// Every `code-objects/*.hsaco` below the folders, and beside the profiles, that `places` names;
/// sorted, each once. Throws Failure when a folder cannot be read.
std::vector<ManifestObject> storedCodeObjects(const std::vector<std::filesystem::path>& places);

} // namespace device_coverage
