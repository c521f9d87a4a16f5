#include "report.h"

#include <cstdlib>
#include <ctime>
#include <iterator>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "binary_id.h"
#include "cobertura_format.h"
#include "cov_tool.h"
#include "coverage_json.h"
#include "html_site.h"
#include "lcov_format.h"
#include "loaded_objects.h"
#include "object_set.h"
#include "output_file.h"
#include "profdata_tool.h"
#include "profile_folder.h"
#include "progress_display.h"
#include "report_folder.h"
#include "side_plan.h"
#include "stored_code_objects.h"
#include "summary_text.h"

namespace device_coverage {
namespace {

namespace fs = std::filesystem;

template <typename T>
void append(std::vector<T>& to, std::vector<T> from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

/// Now, or what SOURCE_DATE_EPOCH says where results must be repeatable.
time_t reportTime() {
  const char* fixed = std::getenv("SOURCE_DATE_EPOCH");
  return fixed != nullptr ? static_cast<time_t>(std::strtoll(fixed, nullptr, 10))
                          : std::time(nullptr);
}

class ReportBuilder {
public:
  ReportBuilder(const Manifest& manifest, const ReportOptions& options, const Log& log)
      : manifest_(manifest), options_(options), log_(log),
        filter_(
            {manifest.ignore, manifest.include, manifest.sourceDirectory, manifest.buildDirectory}),
        profdata_(LlvmTool("llvm-profdata", manifest.llvmProfdata)),
        folder_(manifest.outputDirectory), scratch_(folder_.staging() / ".scratch"),
        cov_(LlvmTool("llvm-cov", manifest.llvmCov), scratch_) {
    for (const char* name : {".scratch", "profdata", "code-objects"})
      fs::create_directory(folder_.staging() / name);
  }

  ReportResult build() {
    result_.name = manifest_.report;
    checkTools();
    mergeProfiles();
    const ObjectSet objects = takeObjects();
    const SidePlan plan = planSides(manifest_, profiles_, objects, options_.kfd);
    append(result_.problems, plan.problems);
    result_.missing = plan.missing;
    for (const Side& side : plan.measurable)
      if (const auto wanted = wantedObjects(side, objects.instrumented.at(side)); !wanted.empty())
        measure({side, profiles_.at(side).path, wanted, options_.pathMap});
    if (result_.sides.empty())
      fail();
    publish();
    return std::move(result_);
  }

private:
  void checkTools() {
    result_.llvmVersion = cov_.version();
    const std::string profdata = profdata_.version();
    if (profdata != result_.llvmVersion)
      result_.notes.push_back(fmt::format("llvm-profdata is of LLVM {}, llvm-cov of LLVM {}",
                                          profdata, result_.llvmVersion));
    if (!manifest_.llvmVersion.empty() && manifest_.llvmVersion != result_.llvmVersion)
      result_.notes.push_back(fmt::format("the build found LLVM {}, llvm-cov is of LLVM {} now",
                                          manifest_.llvmVersion, result_.llvmVersion));
  }

  void mergeProfiles() {
    ProfileSet found = collectProfiles(manifest_.profiles);
    const size_t damaged = found.problems.size();
    append(result_.problems, std::move(found.problems));
    log_.step("profiles",
              fmt::format("{} found, {} of them unusable", found.size() + damaged, damaged));
    for (auto& [side, files] : found.bySide) {
      const fs::path path = folder_.staging() / "profdata" / (side.fileName() + ".profdata");
      const size_t given = files.size();
      MergeResult merged =
          profdata_.merge(files, path, ProgressDisplay(log_, "profiles", side.name()).callback());
      log_.step("profiles", fmt::format("{}: {} merged, {} functions", side.name(), merged.merged,
                                        merged.functions));
      profiles_[side] = {path,
                         merged.merged,
                         found.refused[side] + given - merged.merged,
                         merged.functions,
                         std::move(merged.ambiguousFunctions),
                         std::move(merged.binaryIds)};
      append(result_.problems, std::move(merged.problems));
      append(result_.notes, std::move(merged.notes));
    }
  }

  ObjectSet takeObjects() {
    std::set<Side> wanted;
    for (const auto& [side, profile] : profiles_)
      wanted.insert(side);
    std::vector<ManifestObject> listed = manifest_.objects;
    append(listed, takeStored());
    ObjectSet objects =
        collectObjects(listed, wanted, {folder_.staging() / "code-objects", scratch_});
    for (const std::string& note : objects.notes)
      log_.step("objects", note);
    append(result_.problems, std::move(objects.problems));
    return objects;
  }

  std::vector<ManifestObject> takeStored() {
    std::set<std::string> ids;
    for (const auto& [side, profile] : profiles_)
      if (!side.isHost())
        ids.insert(profile.binaryIds.begin(), profile.binaryIds.end());
    std::vector<ManifestObject> stored = storedCodeObjects(manifest_.profiles);
    if (const size_t removed = removeUnnamed(stored, ids); removed != 0)
      result_.notes.push_back(fmt::format(
          "{} code object{} stored beside the profiles left out: no profile holds counts of {}",
          removed, removed == 1 ? "" : "s", removed == 1 ? "it" : "them"));
    if (!stored.empty())
      log_.step("objects",
                fmt::format("{} code objects stored beside the profiles", stored.size()));
    return stored;
  }

  // A profile whose code is not among the objects would be a row of zeros, or of other code's
  // lines.
  void noteCodeWithoutObject(const Side& side, const std::vector<fs::path>& objects) {
    const std::set<std::string> ids = idsWithoutObject(profiles_.at(side).binaryIds, objects);
    if (!ids.empty())
      result_.notes.push_back(fmt::format(
          "{}: code that counted is in none of the objects, and what only it holds is not "
          "reported; "
          "list its file, or run with DEVICE_COVERAGE_SAVE_CODE_OBJECTS=1; binary ID{} {}",
          side.name(), ids.size() == 1 ? "" : "s", fmt::join(ids, ", ")));
  }

  /// Those that the numbers of a side are to be about.
  std::vector<fs::path> wantedObjects(const Side& side, const std::vector<fs::path>& objects) {
    if (!options_.omitUnloaded)
      return objects;
    LoadedObjects split = splitByLoaded(objects, profiles_.at(side).binaryIds);
    for (const fs::path& path : split.unloaded) {
      const bool isTakenOut = path.string().starts_with(folder_.staging().string());
      result_.notes.push_back(
          fmt::format("{}: {} was never loaded and is left out", side.name(),
                      (isTakenOut ? path.lexically_relative(folder_.staging()) : path).string()));
    }
    if (split.undecided != 0)
      result_.notes.push_back(fmt::format(
          "{}: {} of {} objects have no build ID, so that nothing says whether they were "
          "loaded; they count",
          side.name(), split.undecided, objects.size()));
    if (split.wanted.empty())
      result_.missing.push_back(
          {side.name(), "none of its objects was loaded, by their build IDs"});
    return std::move(split.wanted);
  }

  void measure(const CovInput& input) {
    if (!input.side.isHost())
      noteCodeWithoutObject(input.side, input.objects);

    CovResult measured = cov_.measure(input, filter_);
    measured.coverage.profiles = profiles_.at(input.side).files;
    log_.step("llvm-cov",
              fmt::format("{}: {} objects, {} source files, {} ignored", input.side.name(),
                          input.objects.size(), measured.coverage.files.size(),
                          measured.ignoredFiles.size()));
    for (const std::string& file : measured.ignoredFiles)
      log_.step("ignore", file);
    append(result_.notes, std::move(measured.notes));
    measured.coverage.ambiguousFunctions = profiles_.at(input.side).ambiguousFunctions;
    noteFunctions(input.side, measured.coverage.mismatchedFunctions,
                  "left out, since the profile is of other code than the objects");
    noteFunctions(input.side, measured.coverage.ambiguousFunctions,
                  "with counters of two different bodies, from two code objects or an earlier "
                  "build; those of one are shown");
    const std::vector<std::string> sources = sourcesHere(measured.coverage);
    // Without any source named llvm-cov would show all of them.
    if (options_.html && !sources.empty())
      cov_.writeHtml(input, sources, folder_.staging() / "html" / input.side.fileName());
    result_.sides.push_back(std::move(measured.coverage));
  }

  void noteFunctions(const Side& side, const std::vector<std::string>& names,
                     const std::string& what) {
    if (!names.empty())
      result_.notes.push_back(fmt::format("{}: {} function{} {}: {}", side.name(), names.size(),
                                          names.size() == 1 ? "" : "s", what,
                                          fmt::join(names, ", ")));
  }

  /// The sources that can be shown; the others are remarked on.
  std::vector<std::string> sourcesHere(const SideCoverage& coverage) {
    std::vector<std::string> sources;
    for (const FileCoverage& file : coverage.files) {
      if (fs::exists(file.path))
        sources.push_back(file.path);
      else
        result_.notes.push_back(fmt::format(
            "{}: source {} is not on this machine, so that its page shows counts alone; "
            "where it is elsewhere, say so with --path-map",
            coverage.side.name(), file.path));
    }
    return sources;
  }

  [[noreturn]] void fail() {
    for (const Message& problem : result_.problems)
      log_.problem(problem);
    throw Failure(
        {"report",
         fmt::format("no side can be measured ({} raw profiles usable)", usableProfiles()),
         "no report is written and an earlier one stays as it is",
         "run the tests with LLVM_PROFILE_FILE naming a file in the profile folder, and list "
         "the instrumented objects"});
  }

  size_t usableProfiles() const {
    size_t count = 0;
    for (const auto& [side, profile] : profiles_)
      count += profile.files;
    return count;
  }

  void publish() {
    fs::remove_all(scratch_);
    if (fs::is_empty(folder_.staging() / "code-objects"))
      fs::remove(folder_.staging() / "code-objects");
    writeFormats();
    writeFile(folder_.staging() / "summary.txt",
              summaryText(result_, false) + problemsText(result_));
    folder_.publish();
    log_.step("report", fmt::format("written to {}", manifest_.outputDirectory.string()));
  }

  void writeFormats() {
    writeCoverageJson(result_, folder_.staging() / "coverage.json");
    if (options_.html)
      writeHtmlSite(result_, folder_.staging() / "html");
    for (const SideCoverage& side : result_.sides) {
      if (options_.lcov)
        writeFile(formatFolder("lcov") / (side.side.fileName() + ".info"), lcovText(side));
      if (options_.cobertura)
        writeFile(formatFolder("cobertura") / (side.side.fileName() + ".xml"),
                  coberturaText(side, manifest_.sourceDirectory, reportTime()));
    }
  }

  fs::path formatFolder(const char* name) const {
    fs::create_directories(folder_.staging() / name);
    return folder_.staging() / name;
  }

  const Manifest& manifest_;
  const ReportOptions& options_;
  const Log& log_;
  PathFilter filter_;
  ProfdataTool profdata_;
  ReportFolder folder_;
  fs::path scratch_;
  CovTool cov_;
  std::map<Side, MergedProfile> profiles_;
  ReportResult result_;
};

} // namespace

ReportResult makeReport(const Manifest& manifest, const ReportOptions& options, const Log& log) {
  return ReportBuilder(manifest, options, log).build();
}

} // namespace device_coverage
