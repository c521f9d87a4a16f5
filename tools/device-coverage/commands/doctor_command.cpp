#include "command.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "../doctor.h"
#include "../report.h"

namespace device_coverage {
namespace {

struct Options {
  std::string path;
  bool json = false;
};

std::string chainJson(const std::vector<ChainLink>& links) {
  using Json = nlohmann::ordered_json;
  Json json = Json::array();
  for (const ChainLink& link : links)
    json.push_back({{"link", link.name},
                    {"holds", link.holds()},
                    {"fact", link.fact},
                    {"remedy", link.remedy}});
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void run(const Options& options, CommonOptions& common) {
  const std::vector<ChainLink> links = examine(options.path, ReportOptions().kfd);
  if (options.json)
    fmt::print("{}", chainJson(links));
  for (const ChainLink& link : links) {
    if (!options.json)
      fmt::print("{:<6}  {}: {}\n", link.holds() ? "ok" : "broken", link.name, link.fact);
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
  command->add_flag("--json", options->json, "For machines");
  command->callback([options, &common] { run(*options, common); });
}

} // namespace device_coverage
