// Directory streams over virtual directories.
#pragma once

#include <dirent.h>

#include "driver/sysfs_tree.h"

namespace gpusim {

/// A stream over the node's names, in the guise of the C library's type.
DIR* openVirtualDirectory(const SysfsNode& node);

/// Whether the stream is one of these. Cheap while there are none.
bool isVirtualDirectory(DIR* stream);

/// For virtual streams only: what readdir(), rewinddir() and closedir() do.
dirent* readVirtualDirectory(DIR* stream);
void rewindVirtualDirectory(DIR* stream);
void closeVirtualDirectory(DIR* stream);

} // namespace gpusim
