// Without a GPU the instrumented program behaves as it does without the package, and the report
// says why there is nothing of the device.
#include "measured_run.h"
#include "paths.h"

#include <gtest/gtest.h>

namespace fs = std::filesystem;

namespace {

class NoGpu : public testing::Test {
protected:
  void SetUp() override {
    if (fs::exists("/dev/kfd"))
      GTEST_SKIP() << "this machine has a GPU";
  }

  static std::vector<std::string> arguments(const fs::path& build) {
    return {build / "counted_O2", "1", "1", "64", "64"};
  }
};

TEST_F(NoGpu, LeavesOutputAndExitStatusAsWithoutThePackage) {
  const MeasuredRun run("no-gpu-behaviour");
  const CommandResult without = run.run(0, arguments(paths::kExactCountsOffBuild));
  EXPECT_TRUE(run.profileNames().empty());
  const CommandResult with = run.run(0, arguments(paths::kExactCountsBuild));
  EXPECT_EQ(with.status, without.status);
  EXPECT_EQ(with.output, without.output);
  EXPECT_EQ(without.status, 3) << "a HIP call must have failed";
}

TEST_F(NoGpu, IsReportedWithTheReasonAndTheHostSide) {
  const MeasuredRun run("no-gpu-report");
  run.run(0, arguments(paths::kExactCountsBuild));
  const CommandResult reported =
      run.report({"--object", fs::path(paths::kExactCountsBuild) / "counted_O2"});
  EXPECT_EQ(reported.status, 3) << reported.output;
  EXPECT_NE(reported.output.find("/dev/kfd"), std::string::npos) << reported.output;
  EXPECT_TRUE(run.coverage().at("sides").contains("host"));
  EXPECT_FALSE(run.coverage().at("sides").contains(paths::kArchitecture));
  EXPECT_EQ(run.coverage().at("missing_sides").at(0).at("side"), "device");
}

} // namespace
