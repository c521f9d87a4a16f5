// A run of an instrumented program and the report made of it, in a folder of its own.
#pragma once

#include "command.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

/// `arguments` prefixed with what gives them `gpus` GPUs: the software GPU, or nothing on a real
/// one.
std::vector<std::string> withGpus(unsigned gpus, std::vector<std::string> arguments);

/// `arguments` prefixed with the software GPUs of a list such as gfx90a,gfx908.
std::vector<std::string> withGpuList(const std::string& list, std::vector<std::string> arguments);

class MeasuredRun {
public:
  /// Starts with an empty folder `name` below the tests' scratch folder.
  explicit MeasuredRun(const std::string& name);

  /// Runs `arguments` with `gpus` GPUs (0: as the machine is), its profiles going to profiles().
  CommandResult run(unsigned gpus, std::vector<std::string> arguments,
                    std::map<std::string, std::string> environment = {}) const;

  /// `device-coverage report` over the profiles, with `objects` as in its command line
  /// ({"--object", path, ...}).
  CommandResult report(std::vector<std::string> objects) const;

  /// Names of the profiles written, sorted, without their folder.
  std::vector<std::string> profileNames() const;

  /// The report's coverage.json.
  nlohmann::json coverage() const;

  /// Line -> count of `side` in the file whose name ends in `file`.
  std::map<unsigned, uint64_t> lineCounts(const std::string& file, const std::string& side) const;

  std::filesystem::path profiles() const { return folder_ / "profiles"; }
  std::filesystem::path output() const { return folder_ / "report"; }

private:
  std::filesystem::path folder_;
};
