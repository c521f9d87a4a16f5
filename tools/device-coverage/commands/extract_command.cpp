#include "command.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "../command_result.h"
#include "../extraction.h"

namespace device_coverage {
namespace {

struct Options {
  std::string file, output, target;
  bool json = false;
};

void run(const Options& options) {
  std::optional<TargetId> target;
  if (!options.target.empty()) {
    target = TargetId::parse(options.target);
    if (!target)
      throw Failure({"extract", fmt::format("`{}` is not a target ID", options.target),
                     "nothing is extracted", "write one like gfx90a:xnack+"},
                    ExitStatus::Usage);
  }
  Json json = resultHead("extract");
  json["code_objects"] = Json::array();
  std::string text;
  for (const auto& path : extractCodeObjects(options.file, target, options.output)) {
    json["code_objects"].push_back(path.string());
    text += path.string() + "\n";
  }
  printResult(options.json ? resultText(json) : text);
}

constexpr const char* kHelp =
    R"(Take the code objects out of a file into a folder, each content once, named by target and content, and
print their paths. Nothing is written when the file is damaged or holds no code object.)";

} // namespace

void addExtractCommand(CLI::App& app, CommonOptions& common) {
  (void)common;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("extract", kHelp);
  command->add_option("file", options->file, "What to look into")->required();
  command->add_option("-o,--output", options->output, "Folder for the code objects")->required();
  command->add_option("--target", options->target, "Only code objects of this target ID");
  command->add_flag("--json", options->json, "Print the paths for machines");
  command->callback([options] { run(*options); });
}

} // namespace device_coverage
