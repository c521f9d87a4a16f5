// One function per command; each adds its options and what to do to the command line.
#pragma once

#include <optional>

#include "../message.h"

namespace CLI {
class App;
}

namespace device_coverage {

/// What all commands share: options given before or after the command, and the status it ends with.
struct CommonOptions {
  bool quiet = false;
  ExitStatus status = ExitStatus::Fine;
  std::optional<int> childStatus; ///< of a program that was run: it is kept instead
};

void addReportCommand(CLI::App& app, CommonOptions& common);
void addCheckCommand(CLI::App& app, CommonOptions& common);
void addCleanCommand(CLI::App& app, CommonOptions& common);
void addMergeCommand(CLI::App& app, CommonOptions& common);
void addRunCommand(CLI::App& app, CommonOptions& common);
void addShowEnvCommand(CLI::App& app, CommonOptions& common);
void addShowReferenceCommand(CLI::App& app, CommonOptions& common);
void addDoctorCommand(CLI::App& app, CommonOptions& common);
void addInspectCommand(CLI::App& app, CommonOptions& common);
void addExtractCommand(CLI::App& app, CommonOptions& common);

} // namespace device_coverage
