#include "command.h"

#include <algorithm>
#include <iterator>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "../command_result.h"
#include "../output_file.h"
#include "../profdata_tool.h"
#include "../profile_folder.h"
#include "../progress_display.h"
#include "../scratch_folder.h"

namespace device_coverage {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> profiles;
  std::string output, llvmProfdata = "llvm-profdata", failureMode = "any";
  bool json = false;
};

void publish(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error)
    failToWrite(to, error.value());
}

struct MergedSide {
  Side side;
  size_t given = 0; ///< profiles that begin as one
  size_t merged = 0;
  size_t functions = 0;
  fs::path path; ///< of the indexed profile; empty when nothing was left to merge
};

struct Outcome {
  std::vector<MergedSide> sides;
  std::vector<Message> problems; ///< one for each profile that was left out

  bool lostSide() const {
    return std::any_of(sides.begin(), sides.end(),
                       [](const MergedSide& side) { return side.merged == 0; });
  }
};

void mergeSide(const Side& side, const std::vector<fs::path>& files, const Options& options,
               const fs::path& scratch, const Log& log, Outcome& outcome) {
  const std::string name = side.fileName() + ".profdata";
  MergeResult merged =
      ProfdataTool(LlvmTool("llvm-profdata", options.llvmProfdata))
          .merge(files, scratch / name, ProgressDisplay(log, "merge", side.name()).callback());
  std::move(merged.problems.begin(), merged.problems.end(), std::back_inserter(outcome.problems));
  log.step("merge", fmt::format("{}: {} of {} profiles, {} functions", side.name(), merged.merged,
                                files.size(), merged.functions));
  MergedSide& result = outcome.sides.emplace_back(
      MergedSide{side, files.size(), merged.merged, merged.functions, {}});
  if (merged.merged == 0)
    return;
  result.path = fs::path(options.output) / name;
  publish(scratch / name, result.path);
}

void print(const Outcome& outcome, bool json) {
  Json result = resultHead("merge");
  Json sides = Json::object();
  std::string text;
  for (const MergedSide& side : outcome.sides) {
    sides[side.side.name()] = {{"profile", side.path.string()},
                               {"given", side.given},
                               {"merged", side.merged},
                               {"functions", side.functions}};
    if (!side.path.empty())
      text += side.path.string() + "\n";
  }
  Json problems = Json::array();
  for (const Message& problem : outcome.problems)
    problems.push_back(messageJson(problem));
  result["sides"] = std::move(sides);
  result["problems"] = std::move(problems);
  printResult(json ? resultText(result) : text);
}

/// `in a, at b (it does not exist)`
std::string placesText(const std::vector<std::string>& places) {
  std::vector<std::string> texts;
  for (const std::string& place : places)
    texts.push_back(fs::exists(place) ? "in " + place
                                      : fmt::format("at {} (it does not exist)", place));
  return fmt::format("{}", fmt::join(texts, ", "));
}

void run(const Options& options, CommonOptions& common) {
  const Log log(common.quiet);
  const ProfileSet found = collectProfiles({options.profiles.begin(), options.profiles.end()});
  if (found.size() == 0 && found.problems.empty())
    throw Failure({"merge", fmt::format("there is no profile {}", placesText(options.profiles)),
                   "nothing is merged",
                   "name the folder that the tests' LLVM_PROFILE_FILE points to"});
  Outcome outcome{{}, found.problems};
  const ScratchFolder scratch(options.output);
  for (const auto& [side, files] : found.bySide)
    mergeSide(side, files, options, scratch.path(), log, outcome);
  print(outcome, options.json);
  for (const Message& problem : outcome.problems)
    log.problem(problem);
  if (!outcome.problems.empty())
    log.step("merge", fmt::format("{} profiles left out", outcome.problems.size()));
  if (outcome.lostSide() || (options.failureMode == "any" && !outcome.problems.empty()))
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
  command->add_flag("--json", options->json,
                    "Print for machines what became of each side and which profiles are left out");
  command->callback([options, &common] { run(*options, common); });
}

} // namespace device_coverage
