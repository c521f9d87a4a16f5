#include "side_plan.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace device_coverage {
namespace {

class Planner {
public:
  Planner(const Manifest& manifest, const std::map<Side, MergedProfile>& profiles,
          const ObjectSet& objects, const std::filesystem::path& kfd)
      : manifest_(manifest), profiles_(profiles), objects_(objects), kfd_(kfd) {}

  SidePlan plan() {
    planHost();
    if (manifest_.device && !manifest_.device->enabled)
      plan_.missing.push_back(
          {"device", "device coverage is off in this build: " + manifest_.device->blocker});
    else
      planDevices();
    if (manifest_.device)
      for (const LeftOutTarget& target : manifest_.device->leftOut)
        plan_.missing.push_back(
            {target.target, "left out of this build's coverage: " + target.reason});
    return std::move(plan_);
  }

private:
  bool hasObjects(const Side& side) const { return objects_.instrumented.contains(side); }

  void miss(const std::string& name, Message problem) {
    plan_.missing.push_back({name, problem.fact});
    plan_.problems.push_back(std::move(problem));
  }

  void planHost() {
    const Side host = Side::host();
    const auto profile = profiles_.find(host);
    if (profile != profiles_.end() && (hasObjects(host) || profile->second.functions > 0))
      planProfiled(host, profile->second);
    else if (hasObjects(host))
      miss("host", {"report", fmt::format("no host profile is in {}", places()),
                    "the host side is not reported",
                    "run the tests with LLVM_PROFILE_FILE naming a file in that folder"});
    else
      plan_.missing.push_back({"host", "no host object has a coverage map"});
  }

  /// A side for which there are raw profiles, whatever they are worth.
  void planProfiled(const Side& side, const MergedProfile& profile) {
    const std::string consequence = fmt::format("side {} is not reported", side.name());
    if (profile.files == 0)
      miss(side.name(),
           {"report",
            fmt::format("no {} profile can be read ({} found)", side.name(), profile.refused),
            consequence, "see the problem named for each of them"});
    else if (profile.functions == 0)
      miss(side.name(),
           {"report",
            fmt::format("the {} profile{} of side {} hold{} not a single counter", profile.files,
                        profile.files == 1 ? "" : "s", side.name(), profile.files == 1 ? "s" : ""),
            consequence,
            "build the code with device_coverage_instrument() and run the tests again"});
    else if (!hasObjects(side))
      miss(
          side.name(),
          {"report",
           fmt::format("there are profiles of side {}, but no listed object with a coverage map is "
                       "for it (there are: {})",
                       side.name(), instrumentedSides()),
           consequence,
           "list the executable, library or code object that the tests loaded in "
           "device_coverage_add_report() or with --object"});
    else
      plan_.measurable.push_back(side);
  }

  void planDevices() {
    bool anyProfile = false;
    for (const auto& [side, profile] : profiles_) {
      if (side.isHost())
        continue;
      anyProfile = true;
      planProfiled(side, profile);
    }
    if (anyProfile) {
      missUnrunTargets();
      return;
    }
    // Without a build's word that there is device coverage, only instrumented device code is a
    // reason to expect it.
    if (manifest_.device || objects_.holdsInstrumentedDeviceCode())
      missAllDevices();
  }

  /// Built for several targets and run on some of them: usual, and no fault.
  void missUnrunTargets() {
    for (const auto& [side, paths] : objects_.instrumented)
      if (!side.isHost() && !profiles_.contains(side))
        plan_.missing.push_back({side.name(), "built, but no profile of it was written: nothing of "
                                              "it was loaded on a GPU"});
  }

  void missAllDevices() {
    const auto missAll = [&](const std::string& fact, const std::string& remedy) {
      miss("device", {"report", fact, "no device side is reported", remedy});
    };
    if (!objects_.holdsDeviceCode())
      missAll(fmt::format("no device profile was written: none of the {} listed objects holds "
                          "device code",
                          manifest_.objects.size()),
              "list the executables, libraries and code objects with the kernels");
    else if (!objects_.holdsInstrumentedDeviceCode())
      missAll(
          "no device profile was written: no code object in the listed objects has a coverage map",
          "call device_coverage_instrument() on the targets that compile kernels, and build "
          "again");
    else if (!std::filesystem::exists(kfd_))
      missAll(fmt::format("no device profile was written to {}: this machine has no {}, so that "
                          "only a simulated GPU can have run kernels here",
                          places(), kfd_.string()),
              "run the tests on a machine with an AMD GPU or under amdgpu-simulator; where they "
              "did, see with DEVICE_COVERAGE_VERBOSE=1 what the drain found");
    else
      missAll(fmt::format("no device profile was written to {}", places()),
              "link DeviceCoverage::runtime into the tests, and see with DEVICE_COVERAGE_VERBOSE=1 "
              "what it found");
  }

  std::string places() const {
    std::vector<std::string> texts;
    for (const auto& place : manifest_.profiles)
      texts.push_back(place.string());
    return fmt::format("{}", fmt::join(texts, ", "));
  }

  std::string instrumentedSides() const {
    std::vector<std::string> names;
    for (const auto& [side, paths] : objects_.instrumented)
      names.push_back(side.name());
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
  }

  const Manifest& manifest_;
  const std::map<Side, MergedProfile>& profiles_;
  const ObjectSet& objects_;
  const std::filesystem::path& kfd_;
  SidePlan plan_;
};

} // namespace

SidePlan planSides(const Manifest& manifest, const std::map<Side, MergedProfile>& profiles,
                   const ObjectSet& objects, const std::filesystem::path& kfd) {
  return Planner(manifest, profiles, objects, kfd).plan();
}

} // namespace device_coverage
