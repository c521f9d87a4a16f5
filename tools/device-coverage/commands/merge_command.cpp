#include "command.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "../output_file.h"
#include "../profdata_tool.h"
#include "../profile_folder.h"
#include "../scratch_folder.h"

namespace device_coverage {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> profiles;
  std::string output, llvmProfdata = "llvm-profdata", failureMode = "any";
};

void publish(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error)
    failToWrite(to, error.value());
}

/// What was left out, and whether any side has nothing left.
struct Losses {
  std::vector<Message> problems;
  bool wholeSide = false;
};

void mergeSide(const Side& side, std::vector<fs::path> files, const Options& options,
               const fs::path& scratch, const Log& log, Losses& losses) {
  const size_t given = files.size();
  const std::string name = side.fileName() + ".profdata";
  MergeResult merged = ProfdataTool(LlvmTool("llvm-profdata", options.llvmProfdata))
                           .merge(std::move(files), scratch / name);
  losses.problems.insert(losses.problems.end(), merged.problems.begin(), merged.problems.end());
  losses.wholeSide |= merged.merged == 0;
  log.step("merge", fmt::format("{}: {} of {} profiles, {} functions", side.name(), merged.merged,
                                given, merged.functions));
  if (merged.merged == 0)
    return;
  publish(scratch / name, fs::path(options.output) / name);
  fmt::print("{}\n", (fs::path(options.output) / name).string());
}

void run(const Options& options, CommonOptions& common) {
  const Log log(common.quiet);
  ProfileSet found = collectProfiles({options.profiles.begin(), options.profiles.end()});
  Losses losses{found.problems, false};
  const ScratchFolder scratch(options.output);
  const bool anyUsable = found.size() != 0;
  for (auto& [side, files] : found.bySide)
    mergeSide(side, std::move(files), options, scratch.path(), log, losses);
  for (const Message& problem : losses.problems)
    log.problem(problem);
  if (!anyUsable)
    throw Failure({"merge", "there is no usable profile", "nothing is merged",
                   "name the folder that the tests' LLVM_PROFILE_FILE points to"});
  if (!losses.problems.empty())
    log.step("merge", fmt::format("{} profiles left out", losses.problems.size()));
  if (losses.wholeSide || (options.failureMode == "any" && !losses.problems.empty()))
    common.status = ExitStatus::Data;
}

constexpr const char* kHelp =
    R"(Merge raw profiles into one indexed profile per side, <side>.profdata. Damaged, empty and foreign-version
profiles are left out whole, named and counted.)";

} // namespace

void addMergeCommand(CLI::App& app, CommonOptions& common) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("merge", kHelp);
  command
      ->add_option("profiles", options->profiles,
                   "Folders that are searched for *.profraw, and profiles")
      ->required();
  command->add_option("-o,--output", options->output, "Folder for the indexed profiles")
      ->required();
  command
      ->add_option("--llvm-profdata", options->llvmProfdata,
                   "llvm-profdata of the compiler's own LLVM")
      ->capture_default_str();
  command
      ->add_option("--failure-mode", options->failureMode,
                   "any: fail when any profile was left out; all: only when a side has none left")
      ->check(CLI::IsMember({"any", "all"}))
      ->capture_default_str();
  command->callback([options, &common] { run(*options, common); });
}

} // namespace device_coverage
