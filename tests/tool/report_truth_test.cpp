// What a report says is true: counts stay on their side, and are those that llvm-cov shows.
#include "support/report_fixture.h"

#include <fstream>
#include <sstream>

using namespace test_support;

namespace {

// Lines of fixtures/program.hip.
constexpr const char* kOnBothSidesFirst = "4";
constexpr const char* kOnBothSidesDoubled = "6";
constexpr const char* kOnBothSidesPlusOne = "7";
constexpr const char* kKernelBody = "25";

Counters kernelAlone() {
  return {{"kernel", {64}}};
}

Counters manyCounters() {
  return {{"kernel", {64}},
          {"onBothSides", {64, 40}},
          {"deviceOnly", {64, 640, 200, 100, 77}},
          {"_Z7squaredIiET_S0_", {64, 3}}};
}

std::string indexed(const std::filesystem::path& folder,
                    const std::vector<std::filesystem::path>& raw) {
  const std::string output = (folder / "indexed.profdata").string();
  std::vector<std::string> arguments{llvmTool("llvm-profdata"), "merge", "-o", output};
  for (const auto& path : raw)
    arguments.push_back(path.string());
  EXPECT_EQ(device_coverage::runChild(arguments).status, 0);
  return output;
}

nlohmann::json totalsOf(const std::string& object, const std::string& profile) {
  const auto result = device_coverage::runChild(
      {llvmTool("llvm-cov"), "export", "-summary-only", "-instr-profile", profile, object});
  return nlohmann::json::parse(result.output).at("data").at(0).at("totals");
}

/// Line counts by LLVM's own hand, in its LCOV output.
std::map<std::string, uint64_t> lcovLines(const std::string& object, const std::string& profile) {
  const auto result = device_coverage::runChild(
      {llvmTool("llvm-cov"), "export", "-format=lcov", "-instr-profile", profile, object});
  std::map<std::string, uint64_t> lines;
  std::istringstream stream(result.output);
  for (std::string line; std::getline(stream, line);)
    if (line.starts_with("DA:")) {
      const size_t comma = line.find(',');
      lines[line.substr(3, comma - 3)] = std::stoull(line.substr(comma + 1));
    }
  return lines;
}

std::map<std::string, uint64_t> linesOfSide(const nlohmann::json& lines, const std::string& side) {
  std::map<std::string, uint64_t> result;
  for (const auto& [line, counts] : lines.items())
    if (counts.contains(side))
      result[line] = counts.at(side).get<uint64_t>();
  return result;
}

} // namespace

using ReportTruthTest = ReportFixture;

TEST_F(ReportTruthTest, FunctionThatRanOnTheHostAloneIsNotCoveredOnTheDevice) {
  runHost("program");
  writeDevice("gfx90a", kernelAlone());
  const auto result = reportProgram();
  ASSERT_EQ(result.status, 0) << result.errorOutput;
  const auto lines = programLines();
  EXPECT_EQ(lines.at(kOnBothSidesDoubled), nlohmann::json({{"host", 1}, {"gfx90a", 0}}));
  EXPECT_EQ(lines.at(kOnBothSidesFirst), nlohmann::json({{"host", 1}, {"gfx90a", 0}}));
  EXPECT_EQ(lines.at(kKernelBody).at("gfx90a"), 64);
  EXPECT_EQ(coverage().at("sides").at("gfx90a").at("functions").at("covered"), 1);

  // The hazard is real: one merged profile makes the host's run count for the device.
  const auto merged =
      indexed(folder().path(), {profiles() / "host.profraw", profiles() / "gfx90a.test.profraw"});
  EXPECT_GT(totalsOf(deviceImage("gfx90a").string(), merged).at("functions").at("covered"), 1);
}

TEST_F(ReportTruthTest, FunctionThatRanOnTheDeviceAloneIsNotCoveredOnTheHost) {
  runHost("program");
  writeDevice("gfx90a",
              {{"kernel", {64}}, {"onBothSides", {64, 0}}, {"_Z7squaredIiET_S0_", {64, 0}}});
  ASSERT_EQ(reportProgram().status, 0);
  const auto lines = programLines();
  // The host called onBothSides(7) once and squared() never.
  EXPECT_EQ(lines.at(kOnBothSidesPlusOne), nlohmann::json({{"host", 0}, {"gfx90a", 64}}));
  EXPECT_EQ(lines.at("14"), nlohmann::json({{"host", 0}, {"gfx90a", 64}}));
}

TEST_F(ReportTruthTest, EveryLineHasTheCountThatLlvmCovGivesIt) {
  runHost("program");
  writeDevice("gfx90a", manyCounters());
  ASSERT_EQ(reportProgram().status, 0);
  const auto lines = programLines();
  const auto host = indexed(folder().path(), {profiles() / "host.profraw"});
  EXPECT_EQ(linesOfSide(lines, "host"), lcovLines(fixture("program").string(), host));
  const auto device = indexed(folder().path(), {profiles() / "gfx90a.test.profraw"});
  const auto expected = lcovLines(deviceImage("gfx90a").string(), device);
  EXPECT_GT(expected.size(), 15U);
  EXPECT_EQ(linesOfSide(lines, "gfx90a"), expected);
}

TEST_F(ReportTruthTest, TotalsAreThoseOfLlvmCov) {
  runHost("program");
  writeDevice("gfx90a", manyCounters());
  ASSERT_EQ(reportProgram().status, 0);
  const auto device = indexed(folder().path(), {profiles() / "gfx90a.test.profraw"});
  const auto expected = totalsOf(deviceImage("gfx90a").string(), device);
  const auto side = coverage().at("sides").at("gfx90a");
  for (const char* metric : {"lines", "functions", "regions", "branches"}) {
    EXPECT_EQ(side.at(metric).at("covered"), expected.at(metric).at("covered")) << metric;
    EXPECT_EQ(side.at(metric).at("count"), expected.at(metric).at("count")) << metric;
  }
  // Two instances of a template are one function.
  EXPECT_EQ(side.at("functions"), nlohmann::json({{"covered", 4}, {"count", 4}}));
}

TEST_F(ReportTruthTest, ArchitecturesAreSidesOfTheirOwn) {
  runHost("program");
  writeDevice("gfx90a", {{"kernel", {64}}});
  writeDevice("gfx908", {{"kernel", {128}}, {"onBothSides", {128, 128}}});
  ASSERT_EQ(reportProgram().status, 0);
  const auto lines = programLines();
  EXPECT_EQ(lines.at(kKernelBody), nlohmann::json({{"gfx90a", 64}, {"gfx908", 128}}));
  EXPECT_EQ(lines.at(kOnBothSidesDoubled),
            nlohmann::json({{"host", 1}, {"gfx90a", 0}, {"gfx908", 128}}));
}

TEST_F(ReportTruthTest, ProcessesOfOneSideAreAddedUp) {
  writeDevice("gfx90a", {{"kernel", {64}}}, "first.profraw");
  writeDevice("gfx90a", {{"kernel", {1}}}, "second.profraw");
  runHost("program");
  ASSERT_EQ(reportProgram().status, 0);
  EXPECT_EQ(programLines().at(kKernelBody).at("gfx90a"), 65);
  EXPECT_EQ(coverage().at("sides").at("gfx90a").at("profiles"), 2);
}

TEST_F(ReportTruthTest, CompressedFatBinariesGiveTheSameReport) {
  runHost("program");
  writeDevice("gfx90a", manyCounters());
  ASSERT_EQ(reportProgram().status, 0);
  const auto plain = coverage().at("sides").at("gfx90a");
  const auto result = report({"--object", fixture("program-compressed").string()});
  ASSERT_EQ(result.status, 0) << result.errorOutput;
  EXPECT_EQ(coverage().at("sides").at("gfx90a"), plain);
}

TEST_F(ReportTruthTest, CodeObjectInManyFilesIsGivenToLlvmCovOnce) {
  runHost("program");
  writeDevice("gfx90a", kernelAlone());
  const auto result =
      report({"--object", fixture("program").string(), "--object", fixture("program.o").string(),
              "--code-object", deviceImage("gfx90a").string()});
  ASSERT_EQ(result.status, 0) << result.errorOutput;
  EXPECT_EQ(coverage().at("sides").at("gfx90a").at("objects"), 1);
}

TEST_F(ReportTruthTest, UninstrumentedHostStillHasDeviceCoverage) {
  writeDevice("gfx90a", manyCounters());
  const auto result = report(
      {"--object", fixture("plain").string(), "--code-object", deviceImage("gfx90a").string()});
  ASSERT_EQ(result.status, 0) << result.errorOutput;
  const auto json = coverage();
  EXPECT_FALSE(json.at("sides").contains("host"));
  EXPECT_EQ(json.at("missing_sides").at(0).at("side"), "host");
  EXPECT_GT(json.at("sides").at("gfx90a").at("lines").at("covered"), 0);
}

TEST_F(ReportTruthTest, ArchiveWithUninstrumentedMembersIsReported) {
  runHost("program");
  writeDevice("gfx90a", kernelAlone());
  ASSERT_EQ(reportProgram().status, 0);
  const auto expected = coverage().at("sides").at("host").at("lines");
  const auto result = report({"--object", fixture("libmixed.a").string()});
  ASSERT_EQ(result.status, 0) << result.errorOutput;
  EXPECT_EQ(coverage().at("sides").at("host").at("lines"), expected);
}

TEST_F(ReportTruthTest, IgnoredFilesLeaveTotalsLinesAndPages) {
  runHost("program");
  writeDevice("gfx90a", kernelAlone());
  const auto result =
      report({"--object", fixture("program").string(), "--ignore", ".*/program\\.hip"});
  ASSERT_EQ(result.status, 0) << result.errorOutput;
  EXPECT_TRUE(coverage().at("files").empty());
  EXPECT_EQ(coverage().at("sides").at("host").at("lines"),
            nlohmann::json({{"covered", 0}, {"count", 0}}));
  EXPECT_TRUE(namesIn(output() / "html" / "files").empty());
  EXPECT_FALSE(std::filesystem::exists(output() / "html" / "host"));
  EXPECT_NE(result.errorOutput.find("program.hip"), std::string::npos)
      << "what was left out is said";
}

TEST_F(ReportTruthTest, EachSideHasPagesOfItsOwn) {
  runHost("program");
  writeDevice("gfx90a", {{"kernel", {6421}}});
  ASSERT_EQ(reportProgram().status, 0);
  const auto page = [&](const std::string& side) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(output() / "html" / side))
      if (entry.path().filename() == "program.hip.html")
        return readText(entry.path());
    return std::string();
  };
  EXPECT_NE(page("gfx90a").find("6.42k"), std::string::npos);
  EXPECT_NE(page("host").find("hostOnly"), std::string::npos);
  EXPECT_EQ(page("host").find("6.42k"), std::string::npos);
}

TEST_F(ReportTruthTest, FunctionsWhoseProfileIsOfOtherCodeAreListed) {
  runHost("program");
  const auto result = report({"--object", fixture("other-program").string()});
  EXPECT_EQ(coverage().at("mismatched_functions").at("host"), nlohmann::json({"onBothSides"}))
      << result.errorOutput;
}

TEST_F(ReportTruthTest, SourcesThatAreNotHereAreListedWithOrWithoutPages) {
  runHost("program");
  writeDevice("gfx90a", kernelAlone());
  const std::string elsewhere = (folder().path() / "no sources here").string();
  for (const char* pages : {"--quiet", "--no-html"}) {
    const auto result = report({"--object", fixture("program").string(), "--path-map",
                                std::string(FIXTURE_SOURCES) + "=" + elsewhere, pages});
    ASSERT_EQ(result.status, 0) << result.errorOutput;
    EXPECT_NE(
        result.output.find("host: source " + elsewhere + "/program.hip is not on this machine"),
        std::string::npos)
        << result.output;
    EXPECT_NE(coverage().at("remarks").dump().find(elsewhere + "/program.hip"), std::string::npos);
  }
}

TEST_F(ReportTruthTest, SourcesThatMovedAreFoundByThePathMap) {
  runHost("program");
  writeDevice("gfx90a", kernelAlone());
  const std::string compiled = std::filesystem::path(FIXTURE_SOURCES).string();
  const auto moved = folder().write("moved/program.hip",
                                    "// a copy elsewhere\n" + readText(compiled + "/program.hip"));
  const auto result = report({"--object", fixture("program").string(), "--path-map",
                              compiled + "=" + moved.parent_path().string()});
  ASSERT_EQ(result.status, 0) << result.errorOutput;
  EXPECT_EQ(coverage().at("files").at(0).at("path"), moved.string());
  size_t pages = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(output() / "html"))
    pages += entry.path().filename().string().ends_with("program.hip.html") &&
                     readText(entry.path()).find("a copy elsewhere") != std::string::npos
                 ? 1
                 : 0;
  EXPECT_EQ(pages, 3U) << "ours, and llvm-cov's of each side";
}
