#include "command.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "../command_result.h"
#include "../inspection.h"

namespace device_coverage {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string gpu;
  bool json = false;
};

TargetId parseGpu(const std::string& text) {
  const auto target = TargetId::parse(text);
  if (!target)
    throw Failure({"inspect", fmt::format("`{}` is not a target ID", text),
                   "no entry can be matched with it", "write one like gfx90a:sramecc+:xnack-"},
                  ExitStatus::Usage);
  return *target;
}

void run(const Options& options, CommonOptions& common) {
  std::optional<TargetId> gpu;
  if (!options.gpu.empty())
    gpu = parseGpu(options.gpu);
  std::vector<Inspection> inspections;
  for (const std::string& file : options.files)
    inspections.push_back(inspectFile(file));
  printResult(options.json ? inspectionJson(inspections, gpu) : inspectionText(inspections, gpu));
  for (const Inspection& inspection : inspections) {
    if (!inspection.problem)
      continue;
    Log(common.quiet).problem(*inspection.problem);
    common.status = ExitStatus::Data;
  }
}

constexpr const char* kHelp =
    R"(Show the device code in executables, shared libraries, object files, archives, fat binaries and code
objects: each bundle with its compression, each entry with its target ID, size, kernels, and the number of
functions in its coverage map (`-`: not instrumented).)";

} // namespace

void addInspectCommand(CLI::App& app, CommonOptions& common) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("inspect", kHelp);
  command->add_option("file", options->files, "What to look into")->required();
  command->add_option("--gpu", options->gpu,
                      "Mark the entries that a GPU with this full target ID would load");
  command->add_flag("--json", options->json, "For machines, with the names of all kernels");
  command->callback([options, &common] { run(*options, common); });
}

} // namespace device_coverage
