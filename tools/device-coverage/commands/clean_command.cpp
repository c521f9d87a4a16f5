#include "command.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "../command_result.h"
#include "../manifest.h"
#include "../profile_folder.h"
#include "../report_folder.h"
#include "../stored_code_objects.h"

namespace device_coverage {
namespace {

struct Options {
  std::string manifest;
  bool keepReport = false;
  bool json = false;
};

void removeFile(const std::filesystem::path& file) {
  std::error_code error;
  std::filesystem::remove(file, error);
  if (error)
    throw Failure(
        {"clean", fmt::format("{} cannot be removed ({})", file.string(), errnoText(error.value())),
         "it would be part of the next report", "give write permission to its folder"});
}

struct Removed {
  size_t profiles = 0, codeObjects = 0;
  bool report = false;
};

void removeProfiles(const std::filesystem::path& folder, Removed& removed) {
  for (const ManifestObject& object : storedCodeObjects({folder})) {
    removeFile(object.path);
    ++removed.codeObjects;
  }
  for (const auto& file : findRawProfiles(folder)) {
    removeFile(file);
    ++removed.profiles;
  }
}

void run(const Options& options, const CommonOptions& common) {
  const Manifest manifest = loadManifest(options.manifest);
  Removed removed;
  for (const auto& folder : manifest.profiles)
    removeProfiles(folder, removed);
  removed.report = !options.keepReport && ReportFolder::remove(manifest.outputDirectory) > 0;
  Log(common.quiet)
      .step("clean", fmt::format("{} profiles{} removed", removed.profiles,
                                 removed.report ? " and the report" : ""));
  if (options.json) {
    Json json = resultHead("clean");
    json["profiles"] = removed.profiles;
    json["code_objects"] = removed.codeObjects;
    json["report"] = removed.report;
    printResult(resultText(json));
  }
}

constexpr const char* kHelp =
    R"(Remove the raw profiles of earlier runs, which would be added to those of the next, the code objects stored
beside them, and the report made from them. Other files stay where they are.)";

} // namespace

void addCleanCommand(CLI::App& app, CommonOptions& common) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("clean", kHelp);
  command
      ->add_option("--manifest", options->manifest,
                   "device-coverage.json, as written by device_coverage_add_report()")
      ->required();
  command->add_flag("--keep-report", options->keepReport, "Remove profiles only");
  command->add_flag("--json", options->json, "Print for machines what was removed");
  command->callback([options, &common] { run(*options, common); });
}

} // namespace device_coverage
