// Counts of device code are exact: every line of exact-counts/counted.h, predicted from the launch
// alone.
#include "expected_counts.h"
#include "measured_run.h"
#include "paths.h"

#include <gtest/gtest.h>

#include <ostream>

namespace fs = std::filesystem;

namespace {

const fs::path kSource = fs::path(paths::kExactCountsSource) / "counted.h";

std::string program(const std::string& name) {
  return fs::path(paths::kExactCountsBuild) / name;
}

std::vector<std::string> arguments(const std::string& program, const Launch& launch) {
  return {program, std::to_string(launch.devices), std::to_string(launch.blocks),
          std::to_string(launch.threads), std::to_string(launch.count)};
}

void expectExactCounts(const MeasuredRun& run, const Launch& launch) {
  EXPECT_EQ(run.lineCounts("counted.h", paths::kArchitecture),
            expectedLineCounts(kSource, tallyEvents(launch)));
}

struct Case {
  const char* name;
  const char* program;
  Launch launch;
};

void PrintTo(const Case& value, std::ostream* stream) {
  *stream << value.name;
}

class ExactCounts : public testing::TestWithParam<Case> {};

TEST_P(ExactCounts, OfEveryLineAreWhatTheLaunchSays) {
  const auto& [name, programName, launch] = GetParam();
  const MeasuredRun run(std::string("exact-counts-") + name);
  const CommandResult ran = run.run(launch.devices, arguments(program(programName), launch));
  ASSERT_EQ(ran.status, 0) << ran.output;
  const CommandResult reported = run.report({"--object", program(programName)});
  ASSERT_EQ(reported.status, 0) << reported.output;
  expectExactCounts(run, launch);
}

INSTANTIATE_TEST_SUITE_P(
    , ExactCounts,
    testing::Values(Case{"OneThread", "counted_O2", {1, 1, 1, 1}},
                    Case{"OneFullWave", "counted_O2", {1, 1, 64, 64}},
                    Case{"PartialWave", "counted_O2", {1, 1, 37, 37}},
                    Case{"WaveAndOneThread", "counted_O2", {1, 1, 65, 65}},
                    Case{"FewerElementsThanThreads", "counted_O2", {1, 2, 64, 75}},
                    Case{"NoElement", "counted_O2", {1, 1, 64, 0}},
                    Case{"SeveralWavesAndBlocksO1", "counted_O1", {1, 5, 200, 990}},
                    Case{"SeveralWavesAndBlocksO2", "counted_O2", {1, 5, 200, 990}},
                    Case{"SeveralWavesAndBlocksO3", "counted_O3", {1, 5, 200, 990}},
                    Case{"TwoGpus", "counted_O2", {2, 3, 100, 290}}),
    [](const testing::TestParamInfo<Case>& info) { return info.param.name; });

TEST(ExactCountsWithoutHost, AreKeptWhenTheHostIsNotInstrumented) {
  const Launch launch{1, 3, 100, 290};
  const MeasuredRun run("plain-host");
  const CommandResult ran =
      run.run(launch.devices, arguments(program("counted_plain_host"), launch));
  ASSERT_EQ(ran.status, 0) << ran.output;
  EXPECT_EQ(run.profileNames().size(), 1u);
  const CommandResult reported = run.report({"--object", program("counted_plain_host")});
  ASSERT_EQ(reported.status, 0) << reported.output;
  EXPECT_FALSE(run.coverage().at("sides").contains("host"));
  expectExactCounts(run, launch);
}

TEST(ExactCountsWithoutHost, AreKeptForACodeObjectFromAFreedBuffer) {
  const Launch launch{2, 3, 100, 290};
  const MeasuredRun run("module");
  const fs::path codeObjects = run.output() / "../extracted";
  const CommandResult extracted = Command{
      {paths::kDeviceCoverage, "extract", program("counted_O2"), "--output", codeObjects,
       "--target",
       paths::kArchitecture}}.run();
  ASSERT_EQ(extracted.status, 0) << extracted.output;
  const fs::path codeObject = fs::directory_iterator(codeObjects)->path();
  const CommandResult ran = run.run(launch.devices, arguments(program("counted_module"), launch),
                                    {{"COUNTED_CODE_OBJECT", codeObject}});
  ASSERT_EQ(ran.status, 0) << ran.output;
  const CommandResult reported =
      run.report({"--object", program("counted_module"), "--code-object", codeObject});
  ASSERT_EQ(reported.status, 0) << reported.output;
  expectExactCounts(run, launch);
}

} // namespace
