#include "command.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "../command_result.h"
#include "run_options.h"

namespace device_coverage {
namespace {

struct Options {
  RunOptions run;
  std::string format = "sh";
  bool json = false;
};

/// For a POSIX shell: nothing is special between single quotes but a single quote.
std::string shellQuoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

void run(const Options& options) {
  Json json = resultHead("show-env");
  json["environment"] = Json::object();
  std::string text;
  for (const auto& [name, value] : runEnvironment(options.run.settings())) {
    json["environment"][name] = value;
    text += options.format == "sh" ? fmt::format("export {}={}\n", name, shellQuoted(value))
                                   : fmt::format("{}={}\n", name, value);
  }
  printResult(options.json ? resultText(json) : text);
}

constexpr const char* kHelp =
    R"help(Print the environment that `run` sets, for shells and CI: eval "$(device-coverage show-env)", or
device-coverage show-env --format env >> "$GITHUB_ENV".)help";

} // namespace

void addShowEnvCommand(CLI::App& app, CommonOptions& common) {
  (void)common;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("show-env", kHelp);
  addRunOptions(*command, options->run);
  command->add_option("--format", options->format, "sh: export lines; env: NAME=value lines")
      ->check(CLI::IsMember({"sh", "env"}))
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print the variables for machines");
  command->callback([options] { run(*options); });
}

} // namespace device_coverage
