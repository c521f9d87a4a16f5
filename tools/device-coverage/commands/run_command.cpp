#include "command.h"

#include <map>
#include <memory>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "../child_process.h"
#include "../command_result.h"
#include "../output_file.h"
#include "../profile_folder.h"
#include "run_options.h"

namespace device_coverage {
namespace {

namespace fs = std::filesystem;

struct Options {
  RunOptions run;
  std::string simulate, json;
  std::vector<std::string> program;
};

using Times = std::map<fs::path, fs::file_time_type>;

Times profileTimes(const fs::path& folder) {
  Times times;
  for (const fs::path& file : findRawProfiles(folder)) {
    std::error_code ignored; // a profile that vanished meanwhile is not one that was written
    times[file] = fs::last_write_time(file, ignored);
  }
  return times;
}

/// How many profiles of each side are new or changed.
std::map<Side, size_t> writtenSince(const Times& before, const Times& after) {
  std::map<Side, size_t> written;
  for (const auto& [file, time] : after) {
    const auto found = before.find(file);
    if (found == before.end() || found->second != time)
      ++written[Side::ofProfile(file.filename().string())];
  }
  return written;
}

void tell(const std::map<Side, size_t>& written, const fs::path& folder, const Log& log) {
  for (const auto& [side, count] : written)
    log.step("run", fmt::format("side {}: {} profile{} written to {}", side.name(), count,
                                count == 1 ? "" : "s", folder.string()));
  if (written.empty())
    log.problem(
        {"run", fmt::format("no profile was written to {}", folder.string()),
         "there is nothing to report of this run",
         "build the program with device_coverage_instrument(), and see that it ends by exit"});
}

std::string resultJson(const std::map<Side, size_t>& written, const fs::path& folder, int status) {
  Json json = resultHead("run");
  json["status"] = status;
  json["profiles"] = folder.string();
  json["written"] = Json::object();
  for (const auto& [side, count] : written)
    json["written"][side.name()] = count;
  return resultText(json);
}

void run(const Options& options, CommonOptions& common) {
  RunSettings settings = options.run.settings();
  settings.simulate = options.simulate;
  const fs::path folder = fs::absolute(settings.profiles);
  const Times before = profileTimes(folder);
  try {
    common.childStatus =
        runForeground(runCommand(settings, options.program), runEnvironment(settings));
  } catch (const std::system_error& error) {
    throw Failure({"run",
                   fmt::format("{} cannot be run ({})", options.program.at(0),
                               errnoText(error.code().value())),
                   "nothing is measured", "name a program that can be run"});
  }
  const std::map<Side, size_t> written = writtenSince(before, profileTimes(folder));
  tell(written, folder, Log(common.quiet));
  if (!options.json.empty())
    writeFile(options.json, resultJson(written, folder, *common.childStatus));
}

constexpr const char* kHelp =
    R"(Run a program so that it leaves profiles, keep its exit status, and say what was written. Options for the
program follow after `--`.)";

} // namespace

void addRunCommand(CLI::App& app, CommonOptions& common) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("run", kHelp);
  addRunOptions(*command, options->run);
  command->add_option("--simulate", options->simulate,
                      "Run on simulated GPUs, such as gfx90a:2, by amdgpu-simulator");
  command->add_option(
      "--json", options->json,
      "File for what was written, for machines; the standard output is the program's");
  command->add_option("program", options->program, "Program and its arguments")->required();
  command->callback([options, &common] { run(*options, common); });
}

} // namespace device_coverage
