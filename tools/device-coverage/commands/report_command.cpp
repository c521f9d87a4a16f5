#include "command.h"

#include <algorithm>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "../command_result.h"
#include "../coverage_json.h"
#include "../manifest.h"
#include "../report.h"
#include "../stored_code_objects.h"
#include "../summary_text.h"

namespace device_coverage {
namespace {

struct Options {
  std::string manifest, output, name;
  std::string llvmProfdata, llvmCov;
  std::vector<std::string> objects, codeObjects, profiles, ignore, include, pathMap;
  std::vector<std::string> formats;
  std::string unloaded = "uncovered";
  bool noHtml = false;
  bool json = false;
};

[[noreturn]] void usage(const std::string& fact, const std::string& remedy) {
  throw Failure({"report", fact, "there is nothing to go by", remedy}, ExitStatus::Usage);
}

void addObjects(Manifest& manifest, const std::vector<std::string>& paths,
                ManifestObject::Kind kind) {
  for (const std::string& path : paths)
    manifest.objects.push_back({std::filesystem::absolute(path), kind});
}

/// The manifest, if one is named, with what stands on the command line added or put in its place.
Manifest toManifest(const Options& options) {
  Manifest manifest;
  if (!options.manifest.empty())
    manifest = loadManifest(options.manifest);
  addObjects(manifest, options.objects, ManifestObject::Kind::Host);
  addObjects(manifest, options.codeObjects, ManifestObject::Kind::CodeObject);
  if (!options.profiles.empty())
    manifest.profiles.clear();
  for (const std::string& place : options.profiles)
    manifest.profiles.push_back(std::filesystem::absolute(place));
  manifest.ignore.insert(manifest.ignore.end(), options.ignore.begin(), options.ignore.end());
  manifest.include = options.include;
  if (!options.name.empty())
    manifest.report = options.name;
  if (!options.output.empty())
    manifest.outputDirectory = options.output;
  if (!options.llvmProfdata.empty())
    manifest.llvmProfdata = options.llvmProfdata;
  if (!options.llvmCov.empty())
    manifest.llvmCov = options.llvmCov;
  if (manifest.objects.empty() && storedCodeObjects(manifest.profiles).empty())
    usage("no object is named", "give --manifest, or --object and --code-object");
  if (manifest.profiles.empty())
    usage("no profile folder is named", "give --manifest, or --profiles");
  if (manifest.outputDirectory.empty())
    usage("no output folder is named", "give --manifest, or --output");
  manifest.outputDirectory = std::filesystem::absolute(manifest.outputDirectory);
  return manifest;
}

ReportOptions toReportOptions(const Options& options) {
  const auto wants = [&](const char* format) {
    return std::find(options.formats.begin(), options.formats.end(), format) !=
           options.formats.end();
  };
  ReportOptions result{.html = !options.noHtml,
                       .lcov = wants("lcov"),
                       .cobertura = wants("cobertura"),
                       .omitUnloaded = options.unloaded == "omit",
                       .pathMap = {}};
  for (const std::string& text : options.pathMap)
    result.pathMap.push_back(PathMapping::parse(text));
  return result;
}

/// The head of coverage.json, and where the report is.
std::string resultJson(const ReportResult& result, const std::filesystem::path& output) {
  Json json = coverageJsonHead(result);
  json.update(resultHead("report-summary"));
  json["output"] = output.string();
  return resultText(json);
}

void run(const Options& options, CommonOptions& common) {
  const Log log(common.quiet);
  const Manifest manifest = toManifest(options);
  const ReportResult result = makeReport(manifest, toReportOptions(options), log);
  printResult(options.json ? resultJson(result, manifest.outputDirectory)
                           : summaryText(result, mayColour(STDOUT_FILENO)));
  for (const Message& problem : result.problems)
    log.problem(problem);
  if (!result.problems.empty())
    common.status = ExitStatus::Data;
}

constexpr const char* kHelp =
    R"(Merge the raw profiles of each side, measure each side with llvm-cov, join the sides line by line.

Writes summary.txt (the table that is printed), coverage.json, html/index.html (all sides side by side),
html/<side>/ (llvm-cov's pages), profdata/<side>.profdata and code-objects/ into the output folder. Code objects that a drain stored
beside its profiles (code-objects/*.hsaco, of code that is in no file) are found by themselves. Profiles or objects
that are damaged are named, the rest is reported all the same, and the exit status is 3. An earlier report is replaced only by a new one.)";

} // namespace

void addReportCommand(CLI::App& app, CommonOptions& common) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("report", kHelp);
  command->add_option("--manifest", options->manifest,
                      "device-coverage.json, as written by device_coverage_add_report()");
  command->add_option("-o,--output", options->output, "Output folder, in place of the manifest's");
  command->add_option(
      "--object", options->objects,
      "Host executable, shared library, object file or archive; its fat binaries count too");
  command->add_option("--code-object", options->codeObjects,
                      "Device ELF or fat binary that is in a file of its own");
  command->add_option(
      "--profiles", options->profiles,
      "Folder that is searched for *.profraw, or a profile; in place of the manifest's");
  command->add_option(
      "--ignore", options->ignore,
      "Leave out source files whose whole path matches: an ECMAScript expression, or glob:PATTERN");
  command->add_option(
      "--include", options->include,
      "Report only source files that match, written likewise; without it, what is in the build "
      "folder or in a system folder is left out");
  command->add_option("--path-map", options->pathMap,
                      "FROM=TO: sources that were compiled in folder FROM are in TO now");
  command->add_option("--name", options->name, "Title of the report");
  command->add_option("--llvm-profdata", options->llvmProfdata,
                      "llvm-profdata of the compiler's own LLVM");
  command->add_option("--llvm-cov", options->llvmCov, "llvm-cov of the same installation");
  command
      ->add_option("--format", options->formats,
                   "Write further files, one per side: lcov (lcov/<side>.info), cobertura "
                   "(cobertura/<side>.xml)")
      ->check(CLI::IsMember({"lcov", "cobertura"}));
  command
      ->add_option(
          "--unloaded", options->unloaded,
          "Objects of which no profile says that they were loaded, by their build IDs: count "
          "them as uncovered, or omit them")
      ->check(CLI::IsMember({"uncovered", "omit"}))
      ->capture_default_str();
  command->add_flag("--no-html", options->noHtml, "Write no pages");
  command->add_flag("--json", options->json,
                    "Print totals, missing sides, remarks and problems for machines");
  // A later option overrides an earlier one, so that scripts can append to what they were given.
  for (CLI::Option* option : command->get_options())
    if (option->get_items_expected_max() == 1)
      option->take_last();
  command->callback([options, &common] { run(*options, common); });
}

} // namespace device_coverage
