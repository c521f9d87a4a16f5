#include "driver/sysfs_tree.h"

#include "driver/gpu.h"
#include "driver/topology.h"

namespace gpusim {

SysfsTree::SysfsTree(const std::vector<const GpuModel*>& gpus, bool smallBar) {
  for (const auto& [path, text] : topologyFiles(gpus, smallBar))
    for (const char* root :
         {"/sys/devices/virtual/kfd/kfd/topology/", "/sys/class/kfd/kfd/topology/"})
      addFile(root + path, text);
  // What lsmod looks at.
  addFile("/sys/module/amdgpu/initstate", "live\n");
  addFile("/sys/module/amdgpu/refcnt", "0\n");
  addFile("/sys/module/amdgpu/coresize", "1\n");
  addDirectory("/sys/module/amdgpu/holders");
  addDirectory("/dev/dri");
  for (std::size_t index = 0; index < gpus.size(); ++index) {
    const std::string minor = std::to_string(Gpu::kFirstRenderMinor + index);
    const std::string node = "renderD" + minor;
    nodes_["/dev/dri"].names.push_back(node);
    addDirectory("/sys/dev/char/226:" + minor + "/device/drm/" + node);
  }
}

const SysfsNode* SysfsTree::find(std::string_view path) const {
  const auto found = nodes_.find(path);
  return found == nodes_.end() ? nullptr : &found->second;
}

void SysfsTree::addFile(const std::string& path, std::string text) {
  const std::size_t slash = path.rfind('/');
  addDirectory(path.substr(0, slash));
  nodes_[path.substr(0, slash)].names.push_back(path.substr(slash + 1));
  nodes_[path].text = std::move(text);
}

/// Makes the directory and those above it, down to the second level, which the system has.
void SysfsTree::addDirectory(const std::string& path) {
  SysfsNode& node = nodes_[path];
  if (node.isDirectory)
    return;
  node.isDirectory = true;
  const std::size_t slash = path.rfind('/');
  const std::string parent = path.substr(0, slash);
  if (parent.find('/', 1) == std::string::npos || parent == "/sys/devices/virtual" ||
      parent == "/sys/class" || parent == "/sys/module" || parent == "/sys/dev/char")
    return;
  addDirectory(parent);
  nodes_[parent].names.push_back(path.substr(slash + 1));
}

} // namespace gpusim
