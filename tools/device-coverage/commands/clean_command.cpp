#include "command.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "../manifest.h"
#include "../profile_folder.h"
#include "../report_folder.h"
#include "../stored_code_objects.h"

namespace device_coverage {
namespace {

struct Options {
  std::string manifest;
  bool keepReport = false;
};

void removeFile(const std::filesystem::path& file) {
  std::error_code error;
  std::filesystem::remove(file, error);
  if (error)
    throw Failure(
        {"clean", fmt::format("{} cannot be removed ({})", file.string(), errnoText(error.value())),
         "it would be part of the next report", "give write permission to its folder"});
}

size_t removeProfiles(const std::filesystem::path& folder) {
  for (const ManifestObject& object : storedCodeObjects({folder}))
    removeFile(object.path);
  const auto files = findRawProfiles(folder);
  for (const auto& file : files)
    removeFile(file);
  return files.size();
}

void run(const Options& options, const CommonOptions& common) {
  const Manifest manifest = loadManifest(options.manifest);
  size_t profiles = 0;
  for (const auto& folder : manifest.profiles)
    profiles += removeProfiles(folder);
  const bool report = !options.keepReport && ReportFolder::remove(manifest.outputDirectory) > 0;
  Log(common.quiet)
      .step("clean",
            fmt::format("{} profiles{} removed", profiles, report ? " and the report" : ""));
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
  command->callback([options, &common] { run(*options, common); });
}

} // namespace device_coverage
