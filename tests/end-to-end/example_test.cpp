// The example library, used as its README says: build, test, coverage-report.
#include "command.h"
#include "measured_run.h"
#include "paths.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include <nlohmann/json.hpp>

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kUnrunMark = "// not run on the device";

CommandResult buildTarget(const std::string& target) {
  return Command{{"cmake", "--build", paths::kExampleBuild, "--target", target}}.run();
}

/// File name and line of every line of the example's sources that `wanted` accepts.
template <typename Predicate>
std::set<std::pair<std::string, unsigned>> linesOf(Predicate wanted) {
  std::set<std::pair<std::string, unsigned>> lines;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(paths::kExampleSource) / "src")) {
    std::ifstream file(entry.path());
    std::string line;
    for (unsigned number = 1; std::getline(file, line); ++number)
      if (wanted(line))
        lines.insert({entry.path().filename(), number});
  }
  return lines;
}

class Example : public testing::Test {
protected:
  /// Once for all tests. Failing there would have GoogleTest call the tests skipped, which CTest
  /// takes for well: what went wrong is kept, and fails each of them.
  static void SetUpTestSuite() { failure_ = makeReport(); }

  void SetUp() override { ASSERT_EQ(failure_, ""); }

  /// Empty, or what the step that failed said.
  static std::string makeReport() {
    const CommandResult cleaned = buildTarget("coverage-clean");
    if (cleaned.status != 0)
      return "coverage-clean: " + cleaned.output;
    const CommandResult tested =
        Command{withGpus(1, {"ctest", "--test-dir", paths::kExampleBuild, "--output-on-failure"})}
            .run();
    if (tested.status != 0)
      return "ctest: " + tested.output;
    const CommandResult reported = buildTarget("coverage-report");
    if (reported.status != 0)
      return "coverage-report: " + reported.output;
    printed_ = reported.output;
    std::ifstream file(reportFolder() / "coverage.json");
    coverage_ = nlohmann::json::parse(file);
    return "";
  }

  static fs::path reportFolder() { return fs::path(paths::kExampleBuild) / "coverage-report"; }

  /// Lines of the example's sources with a count on `side`: true for those that ran.
  static std::map<std::pair<std::string, unsigned>, bool> linesOn(const std::string& side) {
    std::map<std::pair<std::string, unsigned>, bool> result;
    for (const nlohmann::json& file : coverage_.at("files")) {
      const std::string name = fs::path(file.at("path").get<std::string>()).filename();
      for (const auto& [line, counts] : file.at("lines").items())
        if (counts.contains(side))
          result[{name, static_cast<unsigned>(std::stoul(line))}] = counts.at(side) != 0;
    }
    return result;
  }

  static inline std::string failure_ = "not made";
  static inline nlohmann::json coverage_;
  static inline std::string printed_;
};

TEST_F(Example, LeavesUnrunOnTheDeviceExactlyTheLinesItSays) {
  std::set<std::pair<std::string, unsigned>> unrun;
  for (const auto& [line, ran] : linesOn(paths::kArchitecture))
    if (!ran)
      unrun.insert(line);
  EXPECT_EQ(unrun, linesOf([](const std::string& line) {
              return line.find(kUnrunMark) != std::string::npos;
            }));
  EXPECT_FALSE(unrun.empty());
}

TEST_F(Example, CountsAFunctionOfBothSidesOnEachSideByItself) {
  const auto beyond = *linesOf([](const std::string& line) {
                         return line.find("smoothKernel never looks that far") != std::string::npos;
                       }).begin();
  const auto within =
      *linesOf([](const std::string& line) {
         return line.find("return 1.0f / static_cast<float>(1 + distance)") != std::string::npos;
       }).begin();
  EXPECT_TRUE(linesOn("host").at(beyond));
  EXPECT_FALSE(linesOn("host").at(within));
  EXPECT_FALSE(linesOn(paths::kArchitecture).at(beyond));
  EXPECT_TRUE(linesOn(paths::kArchitecture).at(within));
}

TEST_F(Example, ReportsKernelsOnTheDeviceSideOnly) {
  const auto kernel = *linesOf([](const std::string& line) {
                         return line.find("__global__ void histogramKernel") != std::string::npos;
                       }).begin();
  EXPECT_FALSE(linesOn("host").contains(kernel));
  EXPECT_TRUE(linesOn(paths::kArchitecture).at(kernel));
}

TEST_F(Example, IsNeitherUncoveredNorFullyCovered) {
  for (const char* side : {"host", paths::kArchitecture}) {
    for (const char* metric : {"lines", "functions", "regions", "branches"}) {
      const nlohmann::json& ratio = coverage_.at("sides").at(side).at(metric);
      EXPECT_GT(ratio.at("covered"), 0) << side << " " << metric;
      EXPECT_LE(ratio.at("covered"), ratio.at("count")) << side << " " << metric;
    }
  }
  const nlohmann::json& device = coverage_.at("sides").at(paths::kArchitecture);
  EXPECT_LT(device.at("lines").at("covered"), device.at("lines").at("count"));
}

TEST_F(Example, PrintsTheTableThatItWrites) {
  std::ifstream file(reportFolder() / "summary.txt");
  const std::string summary{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(summary.find("host"), std::string::npos);
  EXPECT_NE(summary.find(paths::kArchitecture), std::string::npos);
  EXPECT_NE(printed_.find(summary), std::string::npos) << printed_;
}

TEST_F(Example, HasPagesOfEachSide) {
  for (const char* side : {"host", paths::kArchitecture})
    EXPECT_TRUE(fs::exists(reportFolder() / "html" / side / "index.html")) << side;
}

} // namespace
