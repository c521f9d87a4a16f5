#include "command.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "../command_reference.h"
#include "../command_result.h"
#include "../output_file.h"

namespace device_coverage {
namespace {

struct Options {
  std::string form, output;
};

void run(const Options& options, const CLI::App& app) {
  const std::string text = options.form == "man"    ? manPage(app)
                           : options.form == "bash" ? bashCompletion(app)
                                                    : zshCompletion(app);
  if (options.output.empty())
    printResult(text);
  else
    writeFile(options.output, text);
}

constexpr const char* kHelp =
    R"(Print this help as a man page, or as completion for a shell: source <(device-coverage show-reference bash).)";

} // namespace

void addShowReferenceCommand(CLI::App& app, CommonOptions& common) {
  (void)common;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("show-reference", kHelp);
  command->add_option("form", options->form, "man, bash or zsh")
      ->required()
      ->check(CLI::IsMember({"man", "bash", "zsh"}));
  command->add_option("-o,--output", options->output, "File, in place of the standard output");
  command->callback([options, &app] { run(*options, app); });
}

} // namespace device_coverage
