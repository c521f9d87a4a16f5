// A profile folder that a test fills, and the report made of it.
#pragma once

#include <map>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "extraction.h"
#include "llvm_tool.h"
#include "program.h"
#include "raw_profile_writer.h"

namespace test_support {

using Counters = std::map<std::string, std::vector<uint64_t>>;

class ReportFixture : public ::testing::Test {
protected:
  /// Runs a fixture's host code, which writes `name` into the profile folder.
  void runHost(const std::string& program, const std::string& name = "host.profraw") {
    std::filesystem::create_directories(profiles());
    const auto result = device_coverage::runChild(
        {"env", "LLVM_PROFILE_FILE=" + (profiles() / name).string(), fixture(program).string()});
    ASSERT_EQ(result.status, 0) << result.errorOutput;
    ASSERT_TRUE(std::filesystem::exists(profiles() / name));
  }

  /// The code object of `program` for a target.
  std::filesystem::path deviceImage(const std::string& target,
                                    const std::string& program = "program") {
    const auto paths = device_coverage::extractCodeObjects(
        fixture(program), device_coverage::TargetId::parse(target), folder_.path() / "images");
    return paths.at(0);
  }

  /// Writes the profile that a drain would have written for `target`.
  void writeDevice(const std::string& target, const Counters& counters,
                   const std::string& name = "test.profraw", const std::string& binaryId = "",
                   const std::string& program = "program") {
    std::filesystem::create_directories(profiles());
    writeRawProfile(deviceImage(target, program), counters, profiles() / (target + "." + name),
                    binaryId);
  }

  /// `device-coverage report` over the profile folder; `more` holds at least an object.
  device_coverage::ChildResult report(const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"report",
                                       "--profiles",
                                       profiles().string(),
                                       "--output",
                                       output().string(),
                                       "--llvm-profdata",
                                       llvmTool("llvm-profdata"),
                                       "--llvm-cov",
                                       llvmTool("llvm-cov")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return runProgram(arguments);
  }

  device_coverage::ChildResult reportProgram() {
    return report({"--object", fixture("program").string()});
  }

  nlohmann::json coverage() const {
    return nlohmann::json::parse(readText(output() / "coverage.json"));
  }

  /// The counts of program.hip's lines.
  nlohmann::json programLines() const {
    const nlohmann::json report = coverage();
    for (const auto& file : report.at("files"))
      if (file.at("path").get<std::string>().ends_with("program.hip"))
        return file.at("lines");
    throw std::runtime_error("program.hip is not in the report");
  }

  std::filesystem::path profiles() const { return folder_.path() / "profiles, of one run"; }
  std::filesystem::path output() const { return folder_.path() / "coverage report"; }
  const TemporaryFolder& folder() const { return folder_; }

private:
  TemporaryFolder folder_;
};

} // namespace test_support
