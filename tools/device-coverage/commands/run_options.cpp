#include "run_options.h"

#include <CLI/CLI.hpp>

namespace device_coverage {

RunSettings RunOptions::settings() const {
  RunSettings settings;
  settings.profiles = profiles;
  settings.name = name;
  if (!drain.empty())
    settings.drain = drain;
  return settings;
}

void addRunOptions(CLI::App& command, RunOptions& options) {
  command.add_option("--profiles", options.profiles, "Folder for the profiles")
      ->capture_default_str();
  command
      .add_option("--name", options.name,
                  "Name of a profile: %p is the process, %m the instrumented module")
      ->capture_default_str();
  command.add_option("--drain", options.drain,
                     "libdevice_coverage.so, for a program that is not linked with it");
}

} // namespace device_coverage
