#include "target_id.h"

#include <algorithm>

namespace device_coverage {
namespace {

bool isLowerOrDigit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool isArchitecture(std::string_view text) {
  return text.starts_with("gfx") && text.size() > 3 &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return isLowerOrDigit(c) || c == '-'; });
}

bool isFeatureName(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), isLowerOrDigit);
}

} // namespace

std::string TargetId::text() const {
  std::string result = architecture;
  for (const auto& [name, on] : features)
    result += ":" + name + (on ? "+" : "-");
  return result;
}

std::string TargetId::fileName() const {
  std::string result = architecture;
  for (const auto& [name, on] : features)
    result += "." + name + (on ? "-on" : "-off");
  return result;
}

std::optional<TargetId> TargetId::parse(std::string_view text) {
  TargetId result;
  size_t colon = text.find(':');
  const std::string_view architecture = text.substr(0, colon);
  if (!isArchitecture(architecture))
    return std::nullopt;
  result.architecture = architecture;
  while (colon != std::string_view::npos) {
    text.remove_prefix(colon + 1);
    colon = text.find(':');
    const std::string_view feature = text.substr(0, colon);
    if (feature.size() < 2 || (feature.back() != '+' && feature.back() != '-'))
      return std::nullopt;
    const std::string_view name = feature.substr(0, feature.size() - 1);
    if (!isFeatureName(name) || !result.features.emplace(name, feature.back() == '+').second)
      return std::nullopt;
  }
  return result;
}

std::optional<int> matchStrength(const TargetId& object, const TargetId& gpu) {
  if (object.architecture != gpu.architecture)
    return std::nullopt;
  for (const auto& [name, on] : object.features) {
    const auto found = gpu.features.find(name);
    if (found == gpu.features.end() || found->second != on)
      return std::nullopt;
  }
  return static_cast<int>(object.features.size());
}

} // namespace device_coverage
