// A report on a machine that has the profile folder but not the build: the drain stores the code
// objects on request, and their binary IDs tie them to the profiles.
#include "expected_counts.h"
#include "measured_run.h"
#include "paths.h"

#include <gtest/gtest.h>

namespace fs = std::filesystem;

namespace {

const fs::path kSource = fs::path(paths::kExactCountsSource) / "counted.h";
const Launch kLaunch = {1, 1, 37, 37};

void runStoring(const MeasuredRun& run, const std::string& program) {
  const std::string path = fs::path(paths::kExactCountsBuild) / program;
  const CommandResult ran =
      run.run(1, {path, "1", "1", "37", "37"}, {{"DEVICE_COVERAGE_SAVE_CODE_OBJECTS", "1"}});
  ASSERT_EQ(ran.status, 0) << ran.output;
}

std::vector<fs::path> storedBy(const MeasuredRun& run) {
  std::vector<fs::path> stored;
  for (const auto& entry : fs::directory_iterator(run.profiles() / "code-objects"))
    stored.push_back(entry.path());
  return stored;
}

void expectExactCounts(const MeasuredRun& run) {
  EXPECT_EQ(run.lineCounts("counted.h", paths::kArchitecture),
            expectedLineCounts(kSource, tallyEvents(kLaunch)));
}

} // namespace

TEST(AnotherMachine, ProfilesAndStoredCodeObjectsMakeTheReport) {
  const MeasuredRun run("another-machine");
  runStoring(run, "counted_plain_host");
  ASSERT_EQ(storedBy(run).size(), 1u);
  const CommandResult reported = run.report({});
  EXPECT_EQ(reported.status, 0) << reported.output;
  expectExactCounts(run);
}

TEST(AnotherMachine, StoredCodeObjectsOfAnotherBuildDoNotGetIntoTheReport) {
  const MeasuredRun other("another-build");
  runStoring(other, "counted_O1");
  const MeasuredRun run("another-machine-with-leftovers");
  runStoring(run, "counted_plain_host");
  for (const fs::path& leftover : storedBy(other))
    fs::copy(leftover, run.profiles() / "code-objects");
  ASSERT_EQ(storedBy(run).size(), 2u);
  const CommandResult reported = run.report({});
  EXPECT_EQ(reported.status, 0) << reported.output;
  EXPECT_EQ(run.coverage().at("sides").at(paths::kArchitecture).at("objects"), 1);
  expectExactCounts(run);
}
