// A profile that was cut short is named, fails the report, and takes nothing else with it.
#include "measured_run.h"
#include "paths.h"

#include <gtest/gtest.h>

namespace fs = std::filesystem;

namespace {

TEST(DamagedProfile, OfTheDeviceIsNamedAndTheHostSideIsStillReported) {
  const MeasuredRun run("damaged-profile");
  const fs::path program = fs::path(paths::kExactCountsBuild) / "counted_O2";
  ASSERT_EQ(run.run(1, {program, "1", "1", "64", "64"}).status, 0);
  const std::string prefix = std::string(paths::kArchitecture) + ".";
  fs::path damaged;
  for (const std::string& name : run.profileNames())
    if (name.starts_with(prefix))
      damaged = run.profiles() / name;
  ASSERT_FALSE(damaged.empty());
  fs::resize_file(damaged, fs::file_size(damaged) / 2);

  const CommandResult reported = run.report({"--object", program});
  EXPECT_EQ(reported.status, 3);
  EXPECT_NE(reported.output.find(damaged.filename()), std::string::npos) << reported.output;
  EXPECT_TRUE(run.coverage().at("sides").contains("host"));
}

} // namespace
