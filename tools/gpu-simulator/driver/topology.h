// The text of the topology files: what the machine has, in the kernel's words.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace gpusim {

struct GpuModel;

/// Path below /sys/devices/virtual/kfd/kfd/topology, and the file's text.
using TopologyFile = std::pair<std::string, std::string>;

/// All files for a machine with one CPU node (node 0) and these GPUs (nodes 1, 2, ...). `smallBar`: the
/// CPU does not see their memory.
std::vector<TopologyFile> topologyFiles(const std::vector<const GpuModel*>& gpus, bool smallBar);

} // namespace gpusim
