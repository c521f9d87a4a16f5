#include "measured_run.h"

#include "paths.h"

#include <algorithm>
#include <fstream>

namespace fs = std::filesystem;

std::vector<std::string> withGpus(unsigned gpus, std::vector<std::string> arguments) {
  if (gpus == 0 || !paths::kSimulated)
    return arguments;
  return withGpuList(std::string(paths::kArchitecture) + ":" + std::to_string(gpus),
                     std::move(arguments));
}

std::vector<std::string> withGpuList(const std::string& list, std::vector<std::string> arguments) {
  std::vector<std::string> prefixed = {paths::kSimulator, "--gpus", list, "--"};
  prefixed.insert(prefixed.end(), arguments.begin(), arguments.end());
  return prefixed;
}

MeasuredRun::MeasuredRun(const std::string& name) : folder_(fs::path(paths::kScratch) / name) {
  fs::remove_all(folder_);
  fs::create_directories(folder_);
}

CommandResult MeasuredRun::run(unsigned gpus, std::vector<std::string> arguments,
                               std::map<std::string, std::string> environment) const {
  Command command;
  command.arguments = withGpus(gpus, std::move(arguments));
  command.environment = std::move(environment);
  command.environment["LLVM_PROFILE_FILE"] = profiles() / "run.%p.profraw";
  command.directory = folder_;
  return command.run();
}

CommandResult MeasuredRun::report(std::vector<std::string> objects) const {
  Command command;
  command.arguments = {
      paths::kDeviceCoverage, "report",         "--profiles", profiles(),     "--output", output(),
      "--llvm-profdata",      paths::kProfdata, "--llvm-cov", paths::kLlvmCov};
  command.arguments.insert(command.arguments.end(), objects.begin(), objects.end());
  command.directory = folder_;
  return command.run();
}

std::vector<std::string> MeasuredRun::profileNames() const {
  std::vector<std::string> names;
  if (fs::exists(profiles()))
    for (const fs::directory_entry& entry : fs::directory_iterator(profiles()))
      names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

nlohmann::json MeasuredRun::coverage() const {
  std::ifstream file(output() / "coverage.json");
  return nlohmann::json::parse(file);
}

std::map<unsigned, uint64_t> MeasuredRun::lineCounts(const std::string& file,
                                                     const std::string& side) const {
  std::map<unsigned, uint64_t> counts;
  const nlohmann::json report = coverage();
  for (const nlohmann::json& entry : report.at("files")) {
    if (!entry.at("path").get<std::string>().ends_with(file))
      continue;
    for (const auto& [line, sides] : entry.at("lines").items())
      if (sides.contains(side))
        counts[static_cast<unsigned>(std::stoul(line))] = sides.at(side).get<uint64_t>();
  }
  return counts;
}
