#include "command.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "run_options.h"

namespace device_coverage {
namespace {

struct Options {
  RunOptions run;
  std::string format = "sh";
};

/// For a POSIX shell: nothing is special between single quotes but a single quote.
std::string shellQuoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

void run(const Options& options) {
  for (const auto& [name, value] : runEnvironment(options.run.settings()))
    if (options.format == "sh")
      fmt::print("export {}={}\n", name, shellQuoted(value));
    else
      fmt::print("{}={}\n", name, value);
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
  command->callback([options] { run(*options); });
}

} // namespace device_coverage
