#include "run_environment.h"

#include <cstdlib>
#include <sstream>

#include <fmt/format.h>

#include "message.h"

namespace device_coverage {
namespace {

namespace fs = std::filesystem;

fs::path findSimulator() {
  constexpr const char* kName = "amdgpu-simulator";
  std::error_code error;
  const fs::path beside = fs::read_symlink("/proc/self/exe", error).parent_path() / kName;
  if (!error && fs::exists(beside))
    return beside;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (fs::exists(fs::path(folder) / kName))
      return fs::path(folder) / kName;
  throw Failure({"run", "amdgpu-simulator is neither beside device-coverage nor in PATH",
                 "the program is not started", "install it, or run without --simulate"});
}

} // namespace

Environment runEnvironment(const RunSettings& settings) {
  Environment environment;
  environment.emplace_back("LLVM_PROFILE_FILE",
                           (fs::absolute(settings.profiles) / settings.name).string());
  if (settings.drain) {
    if (!fs::exists(*settings.drain))
      throw Failure({"run", fmt::format("the drain {} does not exist", settings.drain->string()),
                     "device counters would be lost",
                     "name the libdevice_coverage.so of the build"});
    const char* preloaded = std::getenv("LD_PRELOAD");
    std::string value = fs::absolute(*settings.drain).string();
    if (preloaded != nullptr && *preloaded != '\0')
      value += fmt::format(":{}", preloaded);
    environment.emplace_back("LD_PRELOAD", value);
  }
  return environment;
}

std::vector<std::string> runCommand(const RunSettings& settings,
                                    const std::vector<std::string>& program) {
  if (settings.simulate.empty())
    return program;
  std::vector<std::string> command{findSimulator().string(), "--gpus", settings.simulate, "--"};
  command.insert(command.end(), program.begin(), program.end());
  return command;
}

} // namespace device_coverage
