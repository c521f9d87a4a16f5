// What counters cost, in instructions that the software GPU executes: the same on every machine.
// The figures are those of the README.
#include "measured_run.h"
#include "paths.h"

#include <gtest/gtest.h>

#include <sstream>

namespace fs = std::filesystem;

namespace {

struct KernelCost {
  uint64_t instructions = 0;
  uint64_t atomics = 0;
};

struct Execution {
  std::map<std::string, KernelCost> kernels;
  std::vector<std::string> results;
};

uint64_t numberAfter(const std::string& line, const std::string& key) {
  const size_t position = line.find(key);
  return position == std::string::npos ? 0 : std::stoull(line.substr(position + key.size()));
}

/// The kernels of cost-<counters>-<level>.hsaco, with what the simulator says of each.
Execution execute(const std::string& counters, const std::string& level) {
  const fs::path build = paths::kCounterCostBuild;
  const MeasuredRun run("counter-cost-" + counters + level);
  const CommandResult ran =
      run.run(1, {build / "counter_cost", build / ("cost-" + counters + "-" + level + ".hsaco")},
              {{"AMDGPU_SIMULATOR_STATS", "1"}});
  EXPECT_EQ(ran.status, 0) << ran.output;
  Execution execution;
  std::istringstream lines(ran.output);
  for (std::string line; std::getline(lines, line);) {
    const size_t name = line.find(" kernel=");
    if (name != std::string::npos)
      execution.kernels[line.substr(name + 8)] = {numberAfter(line, " instructions="),
                                                  numberAfter(line, " atomics=")};
    else if (line.starts_with("result "))
      execution.results.push_back(line);
  }
  return execution;
}

const std::vector<std::string> kKernels = {"scale", "collatz", "stencil", "blockSum",
                                           "matrixProduct"};

class CounterCost : public testing::TestWithParam<const char*> {
protected:
  void SetUp() override {
    if (!paths::kSimulated)
      GTEST_SKIP() << "a real GPU does not say how many instructions it executes";
  }
};

TEST_P(CounterCost, OfCoveredIsAtMostThreeFifthsOfThatOfExactAndTakesNoAtomics) {
  const Execution plain = execute("plain", GetParam());
  const Execution exact = execute("exact", GetParam());
  const Execution covered = execute("covered", GetParam());
  ASSERT_EQ(plain.results.size(), kKernels.size());
  EXPECT_EQ(exact.results, plain.results);
  EXPECT_EQ(covered.results, plain.results);
  uint64_t exactExtra = 0, coveredExtra = 0;
  for (const std::string& kernel : kKernels) {
    ASSERT_GT(plain.kernels.at(kernel).instructions, 0U) << kernel;
    EXPECT_EQ(plain.kernels.at(kernel).atomics, 0U) << kernel;
    EXPECT_GT(exact.kernels.at(kernel).atomics, 0U) << kernel;
    EXPECT_EQ(covered.kernels.at(kernel).atomics, 0U) << kernel;
    EXPECT_LT(covered.kernels.at(kernel).instructions, exact.kernels.at(kernel).instructions)
        << kernel;
    EXPECT_GT(covered.kernels.at(kernel).instructions, plain.kernels.at(kernel).instructions)
        << kernel;
    exactExtra += exact.kernels.at(kernel).instructions - plain.kernels.at(kernel).instructions;
    coveredExtra += covered.kernels.at(kernel).instructions - plain.kernels.at(kernel).instructions;
  }
  EXPECT_LE(coveredExtra * 100, exactExtra * 60) << coveredExtra << " of " << exactExtra;
}

INSTANTIATE_TEST_SUITE_P(, CounterCost, testing::Values("O1", "O3"),
                         [](const auto& info) { return std::string(info.param); });

} // namespace
