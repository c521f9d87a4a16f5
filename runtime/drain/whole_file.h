// Files that are complete or not there: written under a temporary name in the same folder, flushed,
// and only then given their name.
#pragma once

#include "bytes.h"
#include "text.h"

namespace device_coverage {

// Creates the folder and its parents. False with a reason.
bool createFolders(const Path& folder, Reason& reason);

// Writes `content` to `wanted` if no such file exists, or else to the first free alternative name,
// and reports the name in `written`. False with a reason; then nothing is left behind.
bool writeNewFile(const Path& wanted, const Bytes& content, Path& written, Reason& reason);

// Replaces a file that this process wrote before. False with a reason; the old file is then intact.
bool replaceFile(const Path& path, const Bytes& content, Reason& reason);

} // namespace device_coverage
