// The list of GPUs as people write it: "gfx90a:2,gfx908".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpusim {

struct GpuModel;

/// More GPUs than this in one machine are refused (the driver has 128 render nodes; the
/// address space of the simulator is shared out among this many).
constexpr std::size_t kMaxGpus = 16;

/// `gpus` holds one entry a GPU, in order; `error` is empty when the text was understood.
struct GpuList {
  std::vector<const GpuModel*> gpus;
  std::string error;
};

/// Understands a comma-separated list of `architecture[:count]`.
GpuList parseGpuList(std::string_view text);

} // namespace gpusim
