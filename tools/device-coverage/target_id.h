// Target IDs such as `gfx90a:sramecc+:xnack-`, and the sides of a report that they name.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace device_coverage {

/// An architecture with the features that a code object demands; a feature that is not listed is
/// "any".
struct TargetId {
  std::string architecture;             ///< "gfx90a", "gfx9-4-generic"
  std::map<std::string, bool> features; ///< feature name -> on; sorted, hence canonical

  auto operator<=>(const TargetId&) const = default;

  /// `gfx90a:sramecc+:xnack-`.
  std::string text() const;

  /// `gfx90a.sramecc-on.xnack-off`: safe for file systems and artefact stores.
  std::string fileName() const;

  /// Reads the form of text(). Nothing when `text` is not an AMD GPU's target ID.
  static std::optional<TargetId> parse(std::string_view text);
};

/// How far a code object fits a GPU, as HIP decides which entry of a fat binary it loads: the
/// architecture must be equal, each feature that the object demands must be set likewise on the
/// GPU, and of several fitting objects the one that demands most wins. Nothing: it does not fit.
std::optional<int> matchStrength(const TargetId& object, const TargetId& gpu);

} // namespace device_coverage
