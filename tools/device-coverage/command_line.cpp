#include "command_line.h"

#include <exception>
#include <vector>

#include <CLI/CLI.hpp>

#include "commands/command.h"
#include "message.h"
#include "version.h"

namespace device_coverage {
namespace {

constexpr const char* kDescription =
    R"(Coverage of GPU device code beside the host's, from LLVM's source-based instrumentation.

A side is the host or one GPU target, such as gfx90a. Profiles of different sides are never merged, because
LLVM would add up the two copies of a __host__ __device__ function.)";

constexpr const char* kFooter =
    R"(Exit statuses: 0 fine, 1 a gate fell, 2 usage, 3 data (nothing to report, damaged or missing input, a tool
failed); `run` ends with the status of what it ran. NO_COLOR is honoured.

Examples:
  device-coverage run --profiles build/profiles -- build/test
  device-coverage report --manifest build/device-coverage.json
  device-coverage report --object build/test --profiles build/profiles --output coverage-report
  device-coverage check --report coverage-report --minimum gfx90a:lines=80
  device-coverage doctor build
  device-coverage inspect build/libfoo.so
  device-coverage extract build/libfoo.so --target gfx90a --output code-objects)";

} // namespace

int runCommandLine(int argc, const char* const* argv) {
  CLI::App app(kDescription, "device-coverage");
  app.footer(kFooter);
  app.set_version_flag("--version", std::string("device-coverage ") + kVersion);
  app.require_subcommand(1);
  CommonOptions common;
  app.add_flag("-q,--quiet", common.quiet, "Say only what went wrong, not what is done");
  app.fallthrough();
  addReportCommand(app, common);
  addCheckCommand(app, common);
  addRunCommand(app, common);
  addShowEnvCommand(app, common);
  addMergeCommand(app, common);
  addInspectCommand(app, common);
  addExtractCommand(app, common);
  addDoctorCommand(app, common);
  addCleanCommand(app, common);
  addShowReferenceCommand(app, common);
  try {
    app.parse(argc, argv);
    return common.childStatus.value_or(static_cast<int>(common.status));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) // help or version
      return app.exit(error);
    Log(common.quiet)
        .problem({"command line", error.what(), "nothing is done",
                  "see device-coverage --help, or that of the command"});
    return static_cast<int>(ExitStatus::Usage);
  } catch (const Failure& failure) {
    Log(common.quiet).problem(failure.message());
    return static_cast<int>(failure.status());
  } catch (const std::exception& error) {
    Log(common.quiet)
        .problem({"internal error", error.what(), "the command ended early",
                  "report this with the command line that leads to it"});
    return static_cast<int>(ExitStatus::Data);
  }
}

} // namespace device_coverage
