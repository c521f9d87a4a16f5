// Which paths of the file system are the simulator's, and what lies there.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <sys/stat.h>

#include "driver/sysfs_tree.h"

namespace gpusim {

/// What lies at a path that the simulator answers for.
struct VirtualPath {
  enum class Kind { Kfd, RenderNode, File, Directory, Absent };
  Kind kind = Kind::Absent;
  std::size_t gpu = 0;             ///< of a render node
  const SysfsNode* node = nullptr; ///< of a file or directory; lives as long as the process
};

/// Looks `path` up; nothing for paths that are left to the system. Cheap for those.
std::optional<VirtualPath> findVirtualPath(const char* path);

/// The path, when `directory` and `path` together name it absolutely; null otherwise.
const char* absolutePath(int directory, const char* path);

/// Fills `status` with what stat() says about the path.
void describe(const VirtualPath& path, struct stat& status);

/// Device numbers of the render nodes; the minor of GPU n is 128 + n.
constexpr unsigned kDrmMajor = 226;

} // namespace gpusim
