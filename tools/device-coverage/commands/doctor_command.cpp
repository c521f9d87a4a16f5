#include "command.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "../command_result.h"
#include "../doctor.h"
#include "../report.h"

namespace device_coverage {
namespace {

struct Options {
  std::string path;
  bool json = false;
};

std::string chainJson(const std::vector<ChainLink>& links) {
  Json json = resultHead("doctor");
  json["links"] = Json::array();
  for (const ChainLink& link : links)
    json["links"].push_back({{"link", link.name},
                             {"holds", link.holds()},
                             {"fact", link.fact},
                             {"remedy", link.remedy}});
  return resultText(json);
}

void run(const Options& options, CommonOptions& common) {
  const std::vector<ChainLink> links = examine(options.path, ReportOptions().kfd);
  if (options.json)
    printResult(chainJson(links));
  for (const ChainLink& link : links) {
    if (!options.json)
      printResult(
          fmt::format("{:<6}  {}: {}\n", link.holds() ? "ok" : "broken", link.name, link.fact));
    if (link.holds())
      continue;
    Log(common.quiet)
        .problem({"doctor", link.fact, "the chain is broken at: " + link.name, link.remedy});
    common.status = ExitStatus::Data;
  }
}

constexpr const char* kHelp =
    R"(Walk the chain that device coverage depends on (flags, device runtime, coverage map in the image, drain, GPU,
profiles, match of profile and object, sources) and name the first broken link with its remedy. For a build folder
with a device-coverage.json, a folder with a report, or a binary.)";

} // namespace

void addDoctorCommand(CLI::App& app, CommonOptions& common) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("doctor", kHelp);
  command->add_option("path", options->path, "What to examine")->required();
  command->add_flag("--json", options->json, "Print the links of the chain for machines");
  command->callback([options, &common] { run(*options, common); });
}

} // namespace device_coverage
