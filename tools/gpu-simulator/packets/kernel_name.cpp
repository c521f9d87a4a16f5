#include "packets/kernel_name.h"

#include <string_view>

#include "driver/log.h"
#include "packets/loaded_image.h"

namespace gpusim {

std::string kernelName(const GuestMemory& memory, uint64_t kernelObject) {
  const auto image = LoadedImage::around(memory, kernelObject);
  std::string_view name = image ? image->symbolAt(kernelObject) : std::string_view();
  constexpr std::string_view kSuffix = ".kd";
  if (name.ends_with(kSuffix))
    name.remove_suffix(kSuffix.size());
  return name.empty() ? hex(kernelObject) : std::string(name);
}

} // namespace gpusim
