#include "side.h"

namespace device_coverage {
namespace {

/// The feature that one dot-separated piece of a file name states, as `name+` or `name-`.
std::optional<std::string> featureOf(std::string_view piece) {
  for (const auto& [ending, sign] : {std::pair{"-on", '+'}, std::pair{"-off", '-'}})
    if (piece.ends_with(ending))
      return std::string(piece.substr(0, piece.rfind('-'))) + sign;
  return std::nullopt;
}

} // namespace

Side Side::ofProfile(std::string_view fileName) {
  size_t dot = fileName.find('.');
  if (dot == std::string_view::npos)
    return host();
  std::optional<TargetId> target = TargetId::parse(fileName.substr(0, dot));
  while (target) {
    const size_t begin = dot + 1;
    dot = fileName.find('.', begin);
    if (dot == std::string_view::npos)
      break;
    const auto feature = featureOf(fileName.substr(begin, dot - begin));
    const auto extended = feature ? TargetId::parse(target->text() + ":" + *feature) : std::nullopt;
    if (!extended)
      break;
    target = extended;
  }
  return target ? device(*target) : host();
}

} // namespace device_coverage
