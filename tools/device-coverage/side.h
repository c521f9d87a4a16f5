// The sides of a report: the host, and one per device target ID. Profiles of two sides are never
// merged.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include "target_id.h"

namespace device_coverage {

/// `host` or a device target ID. The host sorts first, so that tables begin with it.
class Side {
public:
  static Side host() { return Side(std::nullopt); }
  static Side device(TargetId target) { return Side(std::move(target)); }

  /// The side of a profile by its file name: `gfx<letters, digits, dashes>(.<feature>-(on|off))*.`
  /// in front names a device target; every other profile is the host's.
  static Side ofProfile(std::string_view fileName);

  auto operator<=>(const Side&) const = default;

  bool isHost() const noexcept { return !target_.has_value(); }
  const TargetId& target() const { return target_.value(); }

  /// `host`, `gfx90a:xnack+`: the key in coverage.json and the name in tables.
  std::string name() const { return isHost() ? "host" : target_->text(); }

  /// `host`, `gfx90a.xnack-on`: the name of the side's files and folders.
  std::string fileName() const { return isHost() ? "host" : target_->fileName(); }

private:
  explicit Side(std::optional<TargetId> target) : target_(std::move(target)) {}

  std::optional<TargetId> target_;
};

} // namespace device_coverage
