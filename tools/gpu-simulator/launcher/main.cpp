// amdgpu-simulator: runs a program with simulated AMD GPUs.

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <dlfcn.h>
#include <unistd.h>

#include "driver/configuration.h"
#include "driver/gpu_list.h"
#include "driver/gpu_model.h"
#include "launcher/instruction_list.h"

namespace {

constexpr int kUsageError = 2;
constexpr int kNotExecutable = 126;
constexpr int kNotFound = 127;
constexpr const char* kLibraryName = "libamdgpu-simulator.so";

struct Options {
  std::string gpus = "gfx90a";
  std::optional<uint64_t> seed;
  std::optional<uint32_t> residentWaves;
  bool statistics = false;
  std::string trace;
  std::string bar;
  std::string waits;
  std::string localOverrun;
  std::optional<std::string> listedArchitecture; ///< empty text: the default
  std::vector<std::string> command;
};

int complain(const std::string& message, int status) {
  std::cerr << "amdgpu-simulator: " << message << "\n";
  return status;
}

/// The library lies beside the launcher in a build tree, and in the library folder that was
/// configured, seen from the launcher's, once installed.
std::optional<std::filesystem::path> findLibrary() {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto folder = self.parent_path();
  for (const auto& candidate :
       {folder / kLibraryName, folder / GPUSIM_LIBRARY_FROM_LAUNCHER / kLibraryName})
    if (std::filesystem::exists(candidate, error))
      return candidate.lexically_normal();
  return std::nullopt;
}

std::string architectureNames() {
  std::string names;
  for (const gpusim::GpuModel& model : gpusim::knownGpuModels())
    names += " " + std::string(model.name);
  return names;
}

void describeOptions(CLI::App& app, Options& options) {
  app.add_option("--gpus", options.gpus,
                 "GPUs of the machine, as architecture[:count], separated by commas: "
                 "gfx90a:2,gfx908. Known:" +
                     architectureNames())
      ->capture_default_str();
  app.add_option("--seed", options.seed,
                 "Fixes how the waves of a kernel interleave: the same seed repeats a schedule");
  app.add_option("--resident-waves", options.residentWaves,
                 "Waves of a kernel in flight at once while its workgroups end (default 64); when "
                 "none ends, more start, as far as the GPU holds them")
      ->check(CLI::PositiveNumber);
  app.add_flag("--stats", options.statistics,
               "When the program ends, print what each kernel did: dispatches, waves, "
               "instructions, memory operations, atomics");
  app.add_option("--trace", options.trace,
                 "`packets`: print a line for each packet that a queue takes up. "
                 "`instructions:NAME`: print each instruction, with workgroup, wave and active "
                 "lanes, of the kernels whose symbol contains NAME")
      ->check([](const std::string& text) { return gpusim::parseTrace(text).error; });
  app.add_option("--bar", options.bar,
                 "`small`: the CPU does not see the GPUs' memory, `large` (default): it sees all")
      ->check(CLI::IsMember({"small", "large"}));
  app.add_option("--waits", options.waits,
                 "`blocked` (default): threads that wait for a signal sleep, even where the "
                 "program asks to poll; `active`: as the program asks")
      ->check(CLI::IsMember({"active", "blocked"}));
  app.add_option("--local-memory-overrun", options.localOverrun,
                 "What instructions beyond a workgroup's local memory do: `fault` (default) ends "
                 "the queue with an error; `discard`: load 0 and store nothing, as hardware does. "
                 "Hand-written matrix kernels (Tensile's) rely on that")
      ->check(CLI::IsMember({"fault", "discard"}));
  app.add_option("--list-instructions", options.listedArchitecture,
                 "Instead of running a program, print every instruction that LLVM knows for the "
                 "architecture (gfx90a if none is named), each with the word implemented, refused "
                 "(known, and deliberately not modelled) or missing")
      ->expected(0, 1)
      ->type_name("[ARCHITECTURE]");
  // Everything from the first word that is no option of ours belongs to the program.
  app.prefix_command();
}

void set(const char* variable, const std::string& value) {
  setenv(variable, value.c_str(), 1);
}

/// Adds to a colon-separated variable.
void append(const char* variable, const std::string& value) {
  const char* before = std::getenv(variable);
  const bool empty = before == nullptr || *before == '\0';
  set(variable, empty ? value : std::string(before) + ":" + value);
}

void prepareEnvironment(const Options& options, const std::filesystem::path& library) {
  set(gpusim::kGpusVariable, options.gpus);
  if (options.seed)
    set(gpusim::kSeedVariable, std::to_string(*options.seed));
  if (options.residentWaves)
    set(gpusim::kResidentWavesVariable, std::to_string(*options.residentWaves));
  if (options.statistics)
    set(gpusim::kStatisticsVariable, "1");
  if (!options.trace.empty())
    set(gpusim::kTraceVariable, options.trace);
  if (!options.bar.empty())
    set(gpusim::kBarVariable, options.bar);
  if (!options.waits.empty())
    set(gpusim::kWaitsVariable, options.waits);
  if (!options.localOverrun.empty())
    set(gpusim::kLocalOverrunVariable, options.localOverrun);
#ifdef __SANITIZE_ADDRESS__
  // In sanitizer builds the sanitizer's runtime must come first, and state leaked on purpose is
  // no leak.
  Dl_info runtime{};
  if (dladdr(dlsym(RTLD_DEFAULT, "__asan_init"), &runtime) != 0)
    append("LD_PRELOAD", runtime.dli_fname);
  append("ASAN_OPTIONS", "detect_leaks=0");
#endif
  append("LD_PRELOAD", library.string());
}

int listInstructions(const std::string& named) {
  const std::string architecture = named.empty() ? "gfx90a" : named;
  if (!gpusim::printInstructions(architecture, std::cout))
    return complain("--list-instructions: the instructions of `" + architecture +
                        "` are not modelled; see amdgpu-simulator --help",
                    kUsageError);
  return 0;
}

int run(const Options& options) {
  const auto library = findLibrary();
  if (!library)
    return complain(std::string(kLibraryName) +
                        " is neither beside this program nor in the library folder of its "
                        "installation; build or install it again",
                    kUsageError);
  prepareEnvironment(options, *library);
  std::vector<char*> arguments;
  for (const std::string& argument : options.command)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments.front(), arguments.data());
  return complain("cannot run `" + options.command.front() + "`: " + std::strerror(errno),
                  errno == ENOENT ? kNotFound : kNotExecutable);
}

} // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Runs a program with simulated AMD GPUs under the ROCm libraries it is linked "
               "with.\n  amdgpu-simulator [options] [--] program [arguments...]\nThe program's "
               "exit status is kept; 127 means that it was not found, 2 that an option is wrong.",
               "amdgpu-simulator");
  describeOptions(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return 0;
  } catch (const CLI::ParseError& error) {
    return complain(std::string(error.what()) + "; see amdgpu-simulator --help", kUsageError);
  }
  if (options.listedArchitecture)
    return listInstructions(*options.listedArchitecture);
  if (const auto list = gpusim::parseGpuList(options.gpus); !list.error.empty())
    return complain("--gpus: " + list.error + "; see amdgpu-simulator --help", kUsageError);
  options.command = app.remaining();
  if (!options.command.empty() && options.command.front() == "--")
    options.command.erase(options.command.begin());
  else if (!options.command.empty() && options.command.front().starts_with("-"))
    return complain("unknown option `" + options.command.front() + "`; see amdgpu-simulator --help",
                    kUsageError);
  if (options.command.empty())
    return complain("no program to run; see amdgpu-simulator --help", kUsageError);
  return run(options);
}
