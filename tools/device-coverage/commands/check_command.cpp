#include "command.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "../command_result.h"
#include "../gate.h"
#include "../manifest.h"

namespace device_coverage {
namespace {

struct Options {
  std::string manifest, report, source = ".", changedSince;
  std::vector<std::string> minimum, minimumPerFile, minimumChanged;
  bool json = false;
};

std::vector<Gate> gatesOf(const Options& options) {
  std::vector<Gate> gates;
  for (const auto& [texts, scope] : {std::pair{&options.minimum, GateScope::Side},
                                     std::pair{&options.minimumPerFile, GateScope::EachFile},
                                     std::pair{&options.minimumChanged, GateScope::ChangedLines}})
    for (const std::string& text : *texts)
      gates.push_back(Gate::parse(scope, text));
  return gates;
}

[[noreturn]] void usage(const std::string& fact, const std::string& remedy) {
  throw Failure({"check", fact, "nothing is checked", remedy}, ExitStatus::Usage);
}

std::string resultJson(const GateResult& result) {
  Json json = resultHead("check");
  json["passed"] = result.passed;
  json["fallen"] = Json::array();
  for (const Message& message : result.fallen)
    json["fallen"].push_back(messageJson(message));
  return resultText(json);
}

void print(const GateResult& result, const Options& options, const CommonOptions& common) {
  const Log log(common.quiet);
  if (options.json)
    printResult(resultJson(result));
  else
    for (const std::string& sentence : result.passed)
      log.step("check", sentence);
  for (const Message& message : result.fallen)
    log.problem(message);
}

void run(const Options& options, CommonOptions& common) {
  const std::vector<Gate> gates = gatesOf(options);
  if (gates.empty())
    usage("no gate is named", "give --minimum, such as --minimum gfx90a:lines=80");
  if (options.minimumChanged.empty() != options.changedSince.empty())
    usage("--minimum-changed and --changed-since go together", "give both");
  std::filesystem::path folder = options.report;
  std::filesystem::path source = options.source;
  if (folder.empty() && options.manifest.empty())
    usage("no report is named", "give --report or --manifest");
  if (!options.manifest.empty()) {
    const Manifest manifest = loadManifest(options.manifest);
    source = manifest.sourceDirectory;
    if (folder.empty())
      folder = manifest.outputDirectory;
  }
  const StoredReport report = loadReport(folder);
  if (report.problems != 0)
    throw Failure(
        {"check", fmt::format("the report in {} has {} problems", folder.string(), report.problems),
         "its numbers are incomplete and no gate is decided",
         "see summary.txt, repair them and make the report again"});
  ChangedLines changed;
  if (!options.changedSince.empty())
    changed = changedSince(options.changedSince, source);
  const GateResult result = applyGates(report, gates, changed);
  print(result, options, common);
  if (!result.fallen.empty())
    common.status = ExitStatus::GateFell;
}

constexpr const char* kHelp =
    R"(Compare a report with thresholds. The exit status is 1 when a gate falls, and each that falls is named with how
much is missing. A gate is [SIDE:]METRIC=PERCENT: a side is host, a target ID, or device for all targets; without
one the gate holds for every side. Metrics are lines, functions, regions and branches. Comparison is exact: 99.95 %
is not 100 %.)";

} // namespace

void addCheckCommand(CLI::App& app, CommonOptions& common) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("check", kHelp);
  command->add_option("--manifest", options->manifest,
                      "device-coverage.json: its output folder holds the report");
  command->add_option("--report", options->report, "Folder with a report");
  command->add_option("--minimum", options->minimum, "Gate on the whole of a side");
  command->add_option("--minimum-per-file", options->minimumPerFile,
                      "Gate on each source file; those without anything to cover pass");
  command->add_option(
      "--minimum-changed", options->minimumChanged,
      "Gate on the lines that differ from --changed-since; metric lines. Where none "
      "of them holds code there is nothing to cover: that is said, and passes");
  command->add_option("--changed-since", options->changedSince,
                      "git revision; files that git does not track are not seen");
  command->add_option("--source", options->source,
                      "Folder in the git work tree; the manifest's by default");
  command->add_flag("--json", options->json, "Print what passed and fell for machines");
  command->callback([options, &common] { run(*options, common); });
}

} // namespace device_coverage
