// The examples of each way of building device code: what their tests run on the GPU is counted
// exactly, and no device function is missing.
#include "example_paths.h"
#include "measured_run.h"
#include "paths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <ostream>

namespace fs = std::filesystem;

namespace {

struct CountedFunction {
  std::string file;
  std::string name; ///< part of the linkage name
  uint64_t count;   ///< threads that entered it
  uint64_t unrunRegions;

  bool operator==(const CountedFunction&) const = default;
};

std::ostream& operator<<(std::ostream& stream, const CountedFunction& function) {
  return stream << function.file << ": " << function.name << " " << function.count << " times, "
                << function.unrunRegions << " regions unrun\n";
}

/// The functions of `side`, sorted by file and line, under the names of `expected` where these fit.
std::vector<CountedFunction> functionsOn(const std::string& side, const nlohmann::json& coverage,
                                         const std::vector<CountedFunction>& expected) {
  std::vector<CountedFunction> functions;
  for (const nlohmann::json& file : coverage.at("files")) {
    for (const nlohmann::json& function : file.at("functions")) {
      if (!function.at("sides").contains(side))
        continue;
      const nlohmann::json& counts = function.at("sides").at(side);
      const nlohmann::json& regions = counts.at("regions");
      const size_t index = functions.size();
      std::string name = function.at("name");
      if (index < expected.size() && name.find(expected[index].name) != std::string::npos)
        name = expected[index].name;
      functions.push_back(
          {fs::path(file.at("path").get<std::string>()).filename(), name, counts.at("count"),
           regions.at("count").get<uint64_t>() - regions.at("covered").get<uint64_t>()});
    }
  }
  return functions;
}

CommandResult buildTarget(const fs::path& build, const std::string& target) {
  return Command{{"cmake", "--build", build, "--target", target}}.run();
}

/// Cleans, tests under `ctest` and reports as the example's README says.
nlohmann::json reportOf(const fs::path& build, const std::string& report, const fs::path& folder,
                        std::vector<std::string> (*onGpus)(std::vector<std::string>)) {
  EXPECT_EQ(buildTarget(build, "coverage-clean").status, 0);
  const CommandResult tested =
      Command{onGpus({"ctest", "--test-dir", build, "--output-on-failure"})}.run();
  EXPECT_EQ(tested.status, 0) << tested.output;
  const CommandResult reported = buildTarget(build, "coverage-report-" + report);
  EXPECT_EQ(reported.status, 0) << reported.output;
  std::ifstream file(build / folder / "coverage.json");
  return nlohmann::json::parse(file);
}

nlohmann::json reportOf(const fs::path& build, const std::string& report, const fs::path& folder) {
  return reportOf(build, report, folder,
                  [](std::vector<std::string> ctest) { return withGpus(1, std::move(ctest)); });
}

TEST(Examples, HipLanguageCountsEveryKernelOfEachSource) {
  const std::vector<CountedFunction> expected = {{"scan.hip", "scanKernel", 768, 0},
                                                 {"select.hip", "isWithin", 600, 1},
                                                 {"select.hip", "flagKernel", 768, 0},
                                                 {"select.hip", "scatterKernel", 768, 0}};
  const nlohmann::json coverage =
      reportOf(example_paths::kHipLanguage, "hip-language", "coverage-report");
  EXPECT_EQ(functionsOn(paths::kArchitecture, coverage, expected), expected);
}

TEST(Examples, RelocatableDeviceCodeCountsFunctionsOfAllUnitsAndOfTheStaticLibrary) {
  const std::vector<CountedFunction> expected = {
      {"energy.cpp", "energyKernel", 128, 0}, {"gravity.cpp", "clamped", 500, 0},
      {"gravity.cpp", "gravity", 500, 0},     {"orbit.cpp", "advanceKernel", 128, 0},
      {"step.cpp", "clamped", 500, 1},        {"step.cpp", "step", 500, 0},
      {"step.cpp", "squaredVelocity", 100, 0}};
  const nlohmann::json coverage = reportOf(example_paths::kRdc, "rdc", "coverage-report");
  EXPECT_EQ(functionsOn(paths::kArchitecture, coverage, expected), expected);
}

TEST(Examples, CodeObjectsAreCountedWhereTheHostIsNotInstrumented) {
  const std::vector<CountedFunction> expected = {{"bins.cpp", "binOf", 100, 0},
                                                 {"histogram.cpp", "histogram", 128, 0},
                                                 {"saxpy.cpp", "saxpy", 256, 0},
                                                 {"scaled.cpp", "scaled", 200, 1},
                                                 {"transpose.cpp", "transpose", 1024, 0}};
  const nlohmann::json coverage =
      reportOf(example_paths::kCodeObjects, "code-objects", "coverage-report");
  EXPECT_EQ(functionsOn(paths::kArchitecture, coverage, expected), expected);
  EXPECT_FALSE(coverage.at("sides").contains("host"));
}

// Two units that the device link joins, the dispatcher, and two fat objects.
const std::vector<CountedFunction> kCollectives = {
    {"count.cpp", "countKernel", 64, 0}, {"dispatcher.cpp", "dispatch", 128, 0},
    {"largest.cpp", "larger", 213, 0},   {"largest.cpp", "reduceLargest", 64, 0},
    {"reverse.cpp", "mirrored", 150, 0}, {"reverse.cpp", "reverse", 64, 0},
    {"scale.cpp", "clamped", 150, 1},    {"scale.cpp", "scaleKernel", 192, 0},
};

class CustomDeviceLink : public testing::TestWithParam<const char*> {};

TEST_P(CustomDeviceLink, CountsEveryFunctionOfEveryUnitAndFatObject) {
  const std::string variant = GetParam();
  const nlohmann::json coverage =
      reportOf(example_paths::kCustomDeviceLink, variant, fs::path("coverage-report") / variant);
  EXPECT_EQ(functionsOn(paths::kArchitecture, coverage, kCollectives), kCollectives);
}

INSTANTIATE_TEST_SUITE_P(Embedding, CustomDeviceLink, testing::Values("gpubinary", "incbin"));

TEST(CustomDeviceLinkImages, HaveEveryFunctionCountedOnBothArchitecturesInOneProcess) {
  if (!paths::kSimulated)
    GTEST_SKIP() << "it takes a GPU of each of two architectures";
  const nlohmann::json coverage = reportOf(
      example_paths::kCustomDeviceLink, "gpubinary", "coverage-report/gpubinary",
      [](std::vector<std::string> ctest) {
        return withGpuList(
            std::string(paths::kArchitecture) + "," + example_paths::kOtherArchitecture, ctest);
      });
  EXPECT_EQ(functionsOn(paths::kArchitecture, coverage, kCollectives), kCollectives);
  EXPECT_EQ(functionsOn(example_paths::kOtherArchitecture, coverage, kCollectives), kCollectives);
  EXPECT_TRUE(coverage.at("missing_sides").empty());
}

TEST(CustomDeviceLinkImages, AreFoundInACompressedFatBinary) {
  const fs::path build = example_paths::kCustomDeviceLink;
  const MeasuredRun run("compressed");
  const CommandResult result = run.run(1, {build / "test-gpubinary"});
  EXPECT_EQ(result.status, 0) << result.output;
  // Of the same device images, but HIP before 6.2 could not have loaded it.
  const CommandResult reported = run.report({"--object", build / "libcollectives-compressed.so"});
  EXPECT_EQ(reported.status, 0) << reported.output;
  EXPECT_EQ(functionsOn(paths::kArchitecture, run.coverage(), kCollectives), kCollectives);
}

/// The functions in the coverage maps of all code objects of `target` in `library`.
std::vector<std::string> mappedFunctions(const fs::path& library, const std::string& target) {
  const fs::path folder = fs::path(paths::kScratch) / "code-objects";
  fs::remove_all(folder);
  const CommandResult extracted = Command{
      {paths::kDeviceCoverage, "extract", library, "--target", target, "--output",
       folder}}.run();
  EXPECT_EQ(extracted.status, 0) << extracted.output;
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const CommandResult exported =
        Command{{paths::kLlvmCov, "export", "-empty-profile", entry.path()}}.run();
    EXPECT_EQ(exported.status, 0) << exported.output;
    const nlohmann::json map = nlohmann::json::parse(exported.output);
    for (const nlohmann::json& function : map.at("data").at(0).at("functions"))
      names.push_back(function.at("name"));
  }
  return names;
}

TEST(CustomDeviceLinkImages, OfTheOtherArchitectureMapEveryFunctionAndAreReportedAsNotRun) {
  const fs::path library =
      fs::path(example_paths::kCustomDeviceLink) / "libcollectives-gpubinary.so";
  const std::vector<std::string> names =
      mappedFunctions(library, example_paths::kOtherArchitecture);
  EXPECT_EQ(names.size(), kCollectives.size());
  for (const CountedFunction& function : kCollectives)
    EXPECT_TRUE(std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return name.find(function.name) != std::string::npos;
    })) << function.name;
  const nlohmann::json coverage =
      reportOf(example_paths::kCustomDeviceLink, "gpubinary", "coverage-report/gpubinary");
  const nlohmann::json& missing = coverage.at("missing_sides");
  ASSERT_EQ(missing.size(), 1U) << missing;
  EXPECT_EQ(missing.at(0).at("side"), example_paths::kOtherArchitecture);
}

} // namespace
