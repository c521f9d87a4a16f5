// The files of the kernel that describe GPUs, kept as text in memory.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gpusim {

struct GpuModel;

/// A file with its text, or a directory with the names in it.
struct SysfsNode {
  bool isDirectory = false;
  std::string text;
  std::vector<std::string> names;
};

class SysfsTree {
public:
  /// The tree of a machine with these GPUs.
  SysfsTree(const std::vector<const GpuModel*>& gpus, bool smallBar);

  /// The node at an absolute path without doubled or trailing slashes, or null.
  const SysfsNode* find(std::string_view path) const;

private:
  void addFile(const std::string& path, std::string text);
  void addDirectory(const std::string& path);

  std::map<std::string, SysfsNode, std::less<>> nodes_;
};

} // namespace gpusim
