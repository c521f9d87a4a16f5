#include "doctor.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "image_survey.h"
#include "llvm_tool.h"
#include "manifest.h"
#include "profile_folder.h"
#include "report.h"
#include "scratch_folder.h"
#include "stored_report.h"

namespace device_coverage {
namespace {

namespace fs = std::filesystem;

/// Raised by the first link that does not hold, so that the steps below read as a list.
struct ChainBroken {};

class Chain {
public:
  void hold(std::string name, std::string fact) {
    links_.push_back({std::move(name), std::move(fact), ""});
  }

  [[noreturn]] void snap(std::string name, std::string fact, std::string remedy) {
    links_.push_back({std::move(name), std::move(fact), std::move(remedy)});
    throw ChainBroken();
  }

  /// Runs steps up to the first broken link; a failure of the tools is one, too.
  template <typename Steps>
  std::vector<ChainLink> walk(const Steps& steps) {
    try {
      steps();
    } catch (const ChainBroken&) {
      return std::move(links_);
    } catch (const Failure& failure) {
      links_.push_back({failure.message().phase, failure.message().fact, failure.message().remedy});
    }
    return std::move(links_);
  }

private:
  std::vector<ChainLink> links_;
};

std::string joined(const std::set<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

void examineImages(Chain& chain, const ImageSurvey& survey) {
  if (survey.codeObjects == 0)
    chain.snap("device code", "there is no code object",
               "name the executable, library or code object that holds the kernels");
  chain.hold("device code",
             fmt::format("{} code objects for {}", survey.codeObjects, joined(survey.targets)));
  if (survey.instrumented == 0)
    chain.snap("coverage map", "no code object has a coverage map",
               "call device_coverage_instrument() on the targets that compile kernels: the flags "
               "-fprofile-instr-generate -fcoverage-mapping must reach the device compilation");
  chain.hold("coverage map",
             fmt::format("in {} of {} code objects, {} functions", survey.instrumented,
                         survey.codeObjects, survey.functions));
  if (!survey.undefined.empty())
    chain.snap(
        "device runtime",
        fmt::format("instrumented code objects lack {}, and do not load", joined(survey.undefined)),
        "link the device runtime into the device image: device_coverage_instrument() does so");
  chain.hold("device runtime", "no code object lacks a symbol of the profile runtime");
}

void examineTools(Chain& chain, const Manifest& manifest) {
  const std::string profdata = LlvmTool("llvm-profdata", manifest.llvmProfdata).version();
  const std::string cov = LlvmTool("llvm-cov", manifest.llvmCov).version();
  if (profdata != cov)
    chain.snap("tools", fmt::format("llvm-profdata is of LLVM {}, llvm-cov of {}", profdata, cov),
               "use both from the compiler's own installation");
  chain.hold("tools", fmt::format("llvm-profdata and llvm-cov of LLVM {}", cov));
}

/// Asked only where nothing was drained: such device code can be fine, and has been seen to be the
/// reason why every launch failed.
void examineSize(Chain& chain, const DeviceCodeSize& size) {
  constexpr uint64_t kLargest = uint64_t{1} << 31;
  constexpr double kMebibyte = 1 << 20;
  if (size.total <= kLargest)
    return;
  chain.snap(
      "size of device code",
      fmt::format("no device profile was written, and {} holds {:.0f} MiB of device code, {:.0f} "
                  "of them debug information; launches have been seen to fail beyond 2048 MiB",
                  size.file.string(), size.total / kMebibyte, size.debugInformation / kMebibyte),
      "configure with -DDEVICE_COVERAGE_DEBUG_INFO=LINE_TABLES, or for fewer target IDs");
}

void examineDrain(Chain& chain, const Manifest& manifest, const ImageSurvey& survey,
                  const fs::path& kfd) {
  const ProfileSet profiles = collectProfiles(manifest.profiles);
  const bool drained = std::any_of(profiles.bySide.begin(), profiles.bySide.end(),
                                   [](const auto& entry) { return !entry.first.isHost(); });
  if (drained) {
    chain.hold("drain", "device profiles were written");
    return;
  }
  if (!survey.needsDrain)
    chain.snap("drain",
               "no device profile was written, and no listed host object is linked with "
               "libdevice_coverage.so",
               "link DeviceCoverage::runtime into the tests, or run them with device-coverage run "
               "--drain");
  examineSize(chain, survey.largest);
  if (!fs::exists(kfd))
    chain.snap("GPU",
               fmt::format("no device profile was written, and there is no {}", kfd.string()),
               "run the tests on a machine with an AMD GPU, or with amdgpu-simulator");
  chain.snap("profiles", "no device profile was written",
             "run the tests with DEVICE_COVERAGE_VERBOSE=1 and see what the drain found");
}

void examineReport(Chain& chain, Manifest manifest, const fs::path& kfd) {
  const ScratchFolder scratch(fs::temp_directory_path());
  manifest.outputDirectory = scratch.path() / "report";
  ReportOptions options;
  options.html = false;
  options.kfd = kfd;
  const ReportResult result = makeReport(manifest, options, Log(true));
  if (!result.problems.empty())
    chain.snap("report", result.problems[0].fact, result.problems[0].remedy);
  for (const SideCoverage& side : result.sides) {
    if (!side.mismatchedFunctions.empty())
      chain.snap("profile matches object",
                 fmt::format("{} functions of side {} have a profile of other code, {} for one",
                             side.mismatchedFunctions.size(), side.side.name(),
                             side.mismatchedFunctions[0]),
                 "clean the profiles, build, and run the tests of that build");
    for (const FileCoverage& file : side.files)
      if (!fs::exists(file.path))
        chain.snap("sources", fmt::format("{} is not on this machine", file.path),
                   "give --path-map FROM=TO to device-coverage report");
  }
  chain.hold("report", fmt::format("{} sides are measured, sources are here", result.sides.size()));
}

std::vector<ChainLink> examineBuild(const fs::path& file, const fs::path& kfd) {
  Chain chain;
  return chain.walk([&] {
    const Manifest manifest = loadManifest(file);
    if (!manifest.device->enabled)
      chain.snap("device coverage", "it is off in this build: " + manifest.device->blocker,
                 "remove what blocks it, and configure again with ENABLE_DEVICE_COVERAGE=ON");
    chain.hold("device coverage", "it is on in this build");
    examineTools(chain, manifest);
    ImageSurvey survey;
    for (const ManifestObject& object : manifest.objects)
      surveyImages(object.path, survey);
    chain.hold("objects", fmt::format("{} are there", manifest.objects.size()));
    examineImages(chain, survey);
    examineDrain(chain, manifest, survey, kfd);
    examineReport(chain, manifest, kfd);
  });
}

std::vector<ChainLink> examineBinary(const fs::path& file) {
  Chain chain;
  return chain.walk([&] {
    ImageSurvey survey;
    surveyImages(file, survey);
    examineImages(chain, survey);
  });
}

/// Sides that a report without problems lacks: built and never loaded, or left out of the build
/// with a reason, which is no fault; only a report without any device side for want of coverage is
/// broken.
std::string describeMissing(Chain& chain, const StoredReport& report) {
  std::vector<std::string> facts;
  for (const MissingSide& side : report.missing) {
    if (side.name == "device")
      chain.snap("sides", fmt::format("{} is missing: {}", side.name, side.reason),
                 "examine the build folder that the report was made from");
    facts.push_back(fmt::format("{} is not measured: {}", side.name, side.reason));
  }
  return facts.empty() ? "none is missing" : fmt::format("{}", fmt::join(facts, "; "));
}

std::vector<ChainLink> examineStoredReport(const fs::path& folder) {
  Chain chain;
  return chain.walk([&] {
    const StoredReport report = loadReport(folder);
    if (report.problems != 0)
      chain.snap("report", fmt::format("it was made with {} problems", report.problems),
                 "see them in summary.txt, repair them and make it again");
    chain.hold("report",
               fmt::format("{} sides, {} source files", report.sides.size(), report.files.size()));
    chain.hold("sides", describeMissing(chain, report));
  });
}

} // namespace

std::vector<ChainLink> examine(const fs::path& path, const fs::path& kfd) {
  if (fs::exists(path / "device-coverage.json"))
    return examineBuild(path / "device-coverage.json", kfd);
  if (fs::exists(path / "coverage.json"))
    return examineStoredReport(path);
  if (fs::is_regular_file(path))
    return path.extension() == ".json" ? examineBuild(path, kfd) : examineBinary(path);
  throw Failure(
      {"doctor",
       fmt::format("{} is neither a build folder with a device-coverage.json, nor a report folder "
                   "with a coverage.json, nor a file",
                   path.string()),
       "there is nothing to examine", "name one of these"});
}

} // namespace device_coverage
