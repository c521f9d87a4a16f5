// Descriptors of device files and of virtual directories that the process has open.
#pragma once

#include <cstddef>
#include <optional>

#include "driver/virtual_paths.h"

namespace gpusim {

/// What an open descriptor stands for.
struct OpenFile {
  VirtualPath path;
  bool inherited = false; ///< opened by a parent process: the driver refuses requests on it
};

/// Opens the path as open() would; -1 and errno on failure.
int openVirtual(const VirtualPath& path, int flags);

/// The descriptor's meaning, when it is one of ours. Cheap for all others.
std::optional<OpenFile> findOpenFile(int descriptor);

/// `copy` was made from `original`, by dup() or one of its relatives.
void noteDuplicate(int original, int copy);

/// `descriptor` is about to be closed or replaced.
void noteClosed(int descriptor);

} // namespace gpusim
