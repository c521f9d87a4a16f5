// Which lines differ from a git revision.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace device_coverage {

/// Absolute path of a file -> numbers of its new or changed lines.
using ChangedLines = std::map<std::string, std::set<uint32_t>>;

/// Reads a patch without context lines, as `git diff --unified=0` writes it, for a work tree at
/// `root`.
ChangedLines readPatch(const std::string& patch, const std::filesystem::path& root);

/// The lines of the work tree that contains `folder` that differ from `revision`. Throws Failure
/// with git's own words when it does not know the folder or the revision.
ChangedLines changedSince(const std::string& revision, const std::filesystem::path& folder);

} // namespace device_coverage
