#include "driver/gpu_list.h"

#include <charconv>

#include "driver/gpu_model.h"

namespace gpusim {
namespace {

std::string quoted(std::string_view text) {
  std::string result = "`";
  return result.append(text).append("`");
}

std::string knownNames() {
  std::string names;
  for (const GpuModel& model : knownGpuModels())
    names.append(names.empty() ? "" : ", ").append(model.name);
  return names;
}

/// Appends the GPUs of one list item; the return value is an error or empty.
std::string appendItem(std::string_view item, std::vector<const GpuModel*>& gpus) {
  const std::size_t colon = item.find(':');
  const std::string_view name = item.substr(0, colon);
  const GpuModel* model = findGpuModel(name);
  if (model == nullptr)
    return "architecture " + quoted(name) + " is not modelled (known: " + knownNames() + ")";
  std::size_t count = 1;
  if (colon != std::string_view::npos) {
    const std::string_view digits = item.substr(colon + 1);
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (status != std::errc() || end != digits.data() + digits.size() || count == 0)
      return "count " + quoted(digits) + " in " + quoted(item) + " is not a positive number";
  }
  if (count > kMaxGpus - gpus.size())
    return "more than " + std::to_string(kMaxGpus) + " GPUs";
  gpus.insert(gpus.end(), count, model);
  return {};
}

} // namespace

GpuList parseGpuList(std::string_view text) {
  GpuList list;
  for (std::size_t begin = 0; begin <= text.size() && list.error.empty();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    list.error = appendItem(text.substr(begin, end - begin), list.gpus);
    begin = end + 1;
  }
  return list;
}

} // namespace gpusim
