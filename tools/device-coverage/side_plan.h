// Which sides of a report can be measured, and why the others cannot.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "coverage.h"
#include "manifest.h"
#include "message.h"
#include "object_set.h"

namespace device_coverage {

/// What is known of a side's profiles once they are merged.
struct MergedProfile {
  std::filesystem::path path;
  size_t files = 0;                            ///< raw profiles in it
  size_t refused = 0;                          ///< raw profiles that are not
  size_t functions = 0;                        ///< functions with counters
  std::vector<std::string> ambiguousFunctions; ///< with counters of two bodies
  std::set<std::string> binaryIds;             ///< of the code that counted
};

struct SidePlan {
  std::vector<Side> measurable; ///< with counters and objects
  std::vector<MissingSide> missing;
  std::vector<Message> problems;
};

/// `kfd` is the device file without which no kernel can have run on this machine's own GPU.
SidePlan planSides(const Manifest& manifest, const std::map<Side, MergedProfile>& profiles,
                   const ObjectSet& objects, const std::filesystem::path& kfd);

} // namespace device_coverage
