// A report over the profiles of thousands of ranks.
#include "report_measurement.h"

#include <nlohmann/json.hpp>

using namespace test_support;

namespace {

constexpr size_t kProfilesPerSide = 2170;
constexpr uint64_t kFunctions = 2000; // of fixture many-functions, on each side, main() aside
constexpr uint64_t kMemoryBar = 1024 * kMebibyte;

/// As many profiles of a side as there are ranks. They are links to one file, so that what is
/// measured is the reading and not the disk.
void linkProfiles(const std::filesystem::path& profile, const std::filesystem::path& folder,
                  const std::string& prefix) {
  for (size_t rank = 0; rank < kProfilesPerSide; ++rank)
    std::filesystem::create_hard_link(profile, folder / fmt::format("{}{}.profraw", prefix, rank));
}

/// A folder of profiles of both sides. Their code is the same here, and so are the names, hashes
/// and numbers of counters.
std::filesystem::path makeProfiles(const TemporaryFolder& folder) {
  const auto profile = folder.path() / "host.profraw";
  const auto run = device_coverage::runChild(
      {"env", "LLVM_PROFILE_FILE=" + profile.string(), fixture("many-functions").string()});
  EXPECT_EQ(run.status, 0) << run.errorOutput;
  const auto profiles = folder.path() / "profiles";
  std::filesystem::create_directories(profiles);
  linkProfiles(profile, profiles, "rank-");
  linkProfiles(profile, profiles, "gfx90a.rank-");
  return profiles;
}

} // namespace

TEST(ReportBench, ThousandsOfProfilesOfThousandsOfFunctions) {
  const TemporaryFolder folder;
  const auto profiles = makeProfiles(folder);
  const auto output = folder.path() / "report";
  const Measurement measured = measureProgram(
      {"report", "--quiet", "--object", fixture("many-functions").string(), "--profiles",
       profiles.string(), "--output", output.string(), "--llvm-profdata", llvmTool("llvm-profdata"),
       "--llvm-cov", llvmTool("llvm-cov"), "--format", "lcov", "--format", "cobertura"});
  printFigures(fmt::format("report over {} profiles", 2 * kProfilesPerSide), measured);
  ASSERT_EQ(measured.result.status, 0) << measured.result.errorOutput;
  const auto coverage = nlohmann::json::parse(readText(output / "coverage.json"));
  for (const auto& [side, more] : {std::pair{"host", 1}, std::pair{"gfx90a", 0}}) {
    EXPECT_EQ(coverage.at("sides").at(side).at("profiles"), kProfilesPerSide);
    EXPECT_EQ(coverage.at("sides").at(side).at("functions").at("count"), kFunctions + more);
    EXPECT_EQ(coverage.at("sides").at(side).at("functions").at("covered"), kFunctions + more);
  }
  // Each rank entered each function once.
  EXPECT_EQ(coverage.at("files").at(0).at("functions").at(7).at("sides").at("host").at("count"),
            kProfilesPerSide);
  EXPECT_LT(measured.peak, kMemoryBar);
}

TEST(MergeBench, ThousandsOfProfilesOfThousandsOfFunctions) {
  const TemporaryFolder folder;
  const auto profiles = makeProfiles(folder);
  const Measurement measured = measureProgram({"merge", "--quiet", "--json", profiles.string(),
                                               "-o", (folder.path() / "out").string(),
                                               "--llvm-profdata", llvmTool("llvm-profdata")});
  printFigures(fmt::format("merge of {} profiles", 2 * kProfilesPerSide), measured);
  ASSERT_EQ(measured.result.status, 0) << measured.result.errorOutput;
  const auto result = nlohmann::json::parse(measured.result.output);
  for (const char* side : {"host", "gfx90a"}) {
    EXPECT_EQ(result.at("sides").at(side).at("merged"), kProfilesPerSide);
    EXPECT_GE(result.at("sides").at(side).at("functions"), kFunctions);
  }
  EXPECT_LT(measured.peak, kMemoryBar);
}
