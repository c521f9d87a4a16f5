// Bad input: each gets one clear message and a nonzero status, and nothing is lost.
#include "support/report_fixture.h"

#include <fstream>

#include "manifest.h"
#include "output_file.h"
#include "report.h"

using namespace test_support;
using device_coverage::ChildResult;

namespace {

void expectRefusal(const ChildResult& result, const std::string& words) {
  EXPECT_EQ(result.status, 3) << result.errorOutput;
  EXPECT_NE(result.errorOutput.find(words), std::string::npos)
      << "looked for `" << words << "` in: " << result.errorOutput;
}

} // namespace

class ReportHazardTest : public ReportFixture {
protected:
  void writeGoodProfiles() {
    runHost("program");
    writeDevice("gfx90a", {{"kernel", {64}}});
  }

  std::string goodDeviceProfile() { return readText(profiles() / "gfx90a.test.profraw"); }

  void writeProfile(const std::string& name, const std::string& content) {
    std::ofstream(profiles() / name, std::ios::binary) << content;
  }

  /// A damaged profile must be named and must not change what the good ones say.
  void expectNamedAndRestReported(const std::string& name) {
    expectRefusal(reportProgram(), name);
    EXPECT_EQ(programLines().at("25").at("gfx90a"), 64);
    EXPECT_EQ(programLines().at("6").at("host"), 1);
    ASSERT_EQ(coverage().at("problems").size(), 1U);
    EXPECT_NE(coverage().at("problems").at(0).at("fact").get<std::string>().find(name),
              std::string::npos);
  }
};

TEST_F(ReportHazardTest, EmptyProfileIsNamed) {
  writeGoodProfiles();
  writeProfile("gfx90a.killed.profraw", "");
  expectNamedAndRestReported("gfx90a.killed.profraw");
}

TEST_F(ReportHazardTest, TextWithTheNameOfAProfileIsNamed) {
  writeGoodProfiles();
  writeProfile("notes.profraw", "these are notes and no profile");
  expectNamedAndRestReported("notes.profraw");
}

TEST_F(ReportHazardTest, TruncatedProfileAddsNothingWhereverItWasCut) {
  writeGoodProfiles();
  const std::string whole = goodDeviceProfile();
  for (const size_t length : {size_t{9}, size_t{100}, whole.size() / 2, whole.size() - 60}) {
    writeProfile("gfx90a.cut.profraw", whole.substr(0, length));
    SCOPED_TRACE(length);
    expectNamedAndRestReported("gfx90a.cut.profraw");
  }
}

TEST_F(ReportHazardTest, ProfileWhoseSecondHalfIsDamagedAddsNothing) {
  writeGoodProfiles();
  // Several code objects of one process stand one after another in a file.
  const std::string whole = goodDeviceProfile();
  writeProfile("gfx90a.half.profraw", whole + whole.substr(0, whole.size() / 2));
  expectNamedAndRestReported("gfx90a.half.profraw");
}

TEST_F(ReportHazardTest, ProfileOfAnotherLlvmVersionIsNamedWithTheRemedy) {
  writeGoodProfiles();
  std::string foreign = goodDeviceProfile();
  ++foreign[8];
  writeProfile("gfx90a.foreign.profraw", foreign);
  expectNamedAndRestReported("gfx90a.foreign.profraw");
  EXPECT_NE(
      coverage().at("problems").at(0).at("remedy").get<std::string>().find("compiler that built"),
      std::string::npos);
}

TEST_F(ReportHazardTest, NoProfileAtAllWritesNoReport) {
  for (const bool folderExists : {false, true}) {
    if (folderExists)
      std::filesystem::create_directories(profiles());
    expectRefusal(reportProgram(), profiles().string());
    EXPECT_FALSE(std::filesystem::exists(output()));
  }
}

TEST_F(ReportHazardTest, FailedReportLeavesTheEarlierOneAndOtherFiles) {
  writeGoodProfiles();
  ASSERT_EQ(reportProgram().status, 0);
  std::ofstream(output() / "mine.txt") << "not the report's";
  const std::string summary = readText(output() / "summary.txt");
  const auto names = namesIn(output());
  std::filesystem::remove_all(profiles());
  expectRefusal(reportProgram(), "no side can be measured");
  EXPECT_EQ(readText(output() / "summary.txt"), summary);
  EXPECT_EQ(namesIn(output()), names);
}

TEST_F(ReportHazardTest, NewReportReplacesTheEarlierOneWhole) {
  writeGoodProfiles();
  ASSERT_EQ(reportProgram().status, 0);
  std::ofstream(output() / "mine.txt") << "not the report's";
  ASSERT_TRUE(std::filesystem::exists(output() / "html" / "gfx90a"));
  std::filesystem::remove(profiles() / "gfx90a.test.profraw");
  reportProgram();
  EXPECT_FALSE(std::filesystem::exists(output() / "html" / "gfx90a"));
  EXPECT_FALSE(std::filesystem::exists(output() / "code-objects"));
  EXPECT_TRUE(std::filesystem::exists(output() / "html" / "host"));
  EXPECT_TRUE(std::filesystem::exists(output() / "mine.txt"));
}

TEST_F(ReportHazardTest, MissingLlvmToolsAreNamed) {
  writeGoodProfiles();
  const std::string absent = (folder().path() / "no-such-tool").string();
  const std::string program = fixture("program").string();
  expectRefusal(report({"--object", program, "--llvm-profdata", absent}), absent);
  expectRefusal(report({"--object", program, "--llvm-cov", absent}), absent);
  const auto text = folder().write("text-tool", "not a program");
  expectRefusal(report({"--object", program, "--llvm-cov", text.string()}), "permission denied");
  expectRefusal(report({"--object", program, "--llvm-cov", "/bin/true"}),
                "does not state an LLVM version");
  EXPECT_FALSE(std::filesystem::exists(output()));
}

TEST_F(ReportHazardTest, OutputFolderThatCannotBeMadeIsNamed) {
  writeGoodProfiles();
  const auto file = folder().write("a-file", "in the way");
  const auto result =
      report({"--object", fixture("program").string(), "--output", (file / "report").string()});
  expectRefusal(result, (file / "report").string());
  EXPECT_NE(result.errorOutput.find("not a directory"), std::string::npos) << result.errorOutput;
}

TEST_F(ReportHazardTest, FullDiskIsTold) {
  try {
    device_coverage::writeFile("/dev/full", std::string_view("something"));
    FAIL() << "writing to a full disk succeeded";
  } catch (const device_coverage::Failure& failure) {
    EXPECT_NE(failure.message().fact.find("no space left"), std::string::npos);
    EXPECT_NE(failure.message().remedy.find("free space"), std::string::npos);
  }
}

TEST_F(ReportHazardTest, MissingObjectIsNamedAndTheRestReported) {
  writeGoodProfiles();
  const std::string absent = (folder().path() / "no-such-test").string();
  expectRefusal(report({"--object", fixture("program").string(), "--object", absent}), absent);
  EXPECT_EQ(programLines().at("25").at("gfx90a"), 64);
}

TEST_F(ReportHazardTest, ObjectWithoutCoverageMapIsSkippedAndSaid) {
  writeGoodProfiles();
  const auto result =
      report({"--object", fixture("plain").string(), "--object", fixture("program").string()});
  EXPECT_EQ(result.status, 0) << result.errorOutput;
  EXPECT_NE(result.errorOutput.find("without a coverage map"), std::string::npos);
  EXPECT_EQ(coverage().at("sides").at("host").at("objects"), 1);
}

TEST_F(ReportHazardTest, NoInstrumentedObjectIsAnError) {
  writeGoodProfiles();
  expectRefusal(report({"--object", fixture("plain").string()}),
                "no listed object with a coverage map");
  EXPECT_FALSE(std::filesystem::exists(output()));
}

TEST_F(ReportHazardTest, ProfilesOfATargetWithoutObjectAreNamed) {
  writeGoodProfiles();
  std::filesystem::copy(profiles() / "gfx90a.test.profraw", profiles() / "gfx942.test.profraw");
  expectRefusal(reportProgram(), "profiles of side gfx942");
  EXPECT_TRUE(coverage().at("sides").contains("gfx90a"));
}

TEST_F(ReportHazardTest, SideWithoutASingleCounterIsAnError) {
  runHost("program");
  runHost("runtime-only", "gfx90a.test.profraw");
  expectRefusal(reportProgram(), "not a single counter");
  EXPECT_TRUE(coverage().at("sides").contains("host"));
  EXPECT_FALSE(coverage().at("sides").contains("gfx90a"));
}

TEST_F(ReportHazardTest, ArchitectureThatWasBuiltAndNeverRunIsNamed) {
  writeGoodProfiles();
  EXPECT_EQ(reportProgram().status, 0);
  ASSERT_EQ(coverage().at("missing_sides").size(), 1U);
  EXPECT_EQ(coverage().at("missing_sides").at(0).at("side"), "gfx908");
  EXPECT_NE(readText(output() / "summary.txt").find("gfx908"), std::string::npos);
}

TEST_F(ReportHazardTest, HostProfilesMissingWhileTheHostIsInstrumentedIsAnError) {
  writeDevice("gfx90a", {{"kernel", {64}}});
  expectRefusal(reportProgram(), "no host profile");
  EXPECT_TRUE(coverage().at("sides").contains("gfx90a"));
}

class NoDeviceProfileTest : public ReportHazardTest {
protected:
  device_coverage::ReportResult make(const std::string& object, const std::filesystem::path& kfd) {
    runHost("program");
    device_coverage::Manifest manifest;
    manifest.profiles = {profiles()};
    manifest.outputDirectory = output();
    manifest.llvmCov = llvmTool("llvm-cov");
    manifest.llvmProfdata = llvmTool("llvm-profdata");
    manifest.device = state_;
    manifest.objects = {{fixture(object), device_coverage::ManifestObject::Kind::Host}};
    device_coverage::ReportOptions options;
    options.html = false;
    options.kfd = kfd;
    return device_coverage::makeReport(manifest, options, device_coverage::Log(true));
  }

  void expectReason(const device_coverage::ReportResult& result, const std::string& words) {
    ASSERT_FALSE(result.missing.empty());
    EXPECT_NE(result.missing[0].reason.find(words), std::string::npos) << result.missing[0].reason;
    EXPECT_NE(readText(output() / "summary.txt").find(words), std::string::npos);
    EXPECT_NE(readText(output() / "coverage.json").find(words), std::string::npos);
    EXPECT_TRUE(coverage().at("sides").contains("host")) << "the host side is written all the same";
  }

  device_coverage::DeviceCoverageState state_{true, ""};
};

TEST_F(NoDeviceProfileTest, BecauseThisMachineHasNoGpu) {
  const auto result = make("program", folder().path() / "no-kfd");
  expectReason(result, "no-kfd");
  EXPECT_EQ(result.problems.size(), 1U);
}

TEST_F(NoDeviceProfileTest, ThoughThisMachineHasAGpu) {
  const auto result = make("program", folder().write("kfd", ""));
  expectReason(result, "no device profile was written to " + profiles().string());
  EXPECT_NE(result.problems.at(0).remedy.find("DEVICE_COVERAGE_VERBOSE"), std::string::npos);
}

TEST_F(NoDeviceProfileTest, BecauseNoKernelIsInstrumented) {
  const auto result = make("host-instrumented", "/dev/null");
  expectReason(result, "no code object in the listed objects has a coverage map");
  EXPECT_EQ(result.problems.size(), 1U);
}

TEST_F(NoDeviceProfileTest, BecauseTheObjectsHoldNoDeviceCode) {
  const auto result = make("host-object.o", "/dev/null");
  expectReason(result, "holds device code");
}

TEST_F(NoDeviceProfileTest, BecauseOfABlockerIsNoError) {
  state_ = {false, "the compiler is GCC"};
  const auto result = make("program", "/dev/null");
  expectReason(result, "the compiler is GCC");
  EXPECT_TRUE(result.problems.empty());
}

TEST_F(NoDeviceProfileTest, OfATargetThatTheBuildLeftOutIsNamedWithTheReasonAndIsNoError) {
  writeDevice("gfx90a", {{"kernel", {64}}});
  state_.leftOut = {{"gfx9-generic", "an instrumented kernel does not link for gfx9-generic"}};
  const auto result = make("program", "/dev/null");
  EXPECT_TRUE(result.problems.empty());
  const auto& missing = result.missing;
  EXPECT_TRUE(std::any_of(missing.begin(), missing.end(), [](const auto& side) {
    return side.name == "gfx9-generic" && side.reason.find("does not link") != std::string::npos;
  }));
  EXPECT_NE(readText(output() / "summary.txt").find("does not link"), std::string::npos);
}

TEST_F(ReportHazardTest, SideOfWhichEveryProfileIsDamagedIsNotTakenForOneThatNeverRan) {
  writeGoodProfiles();
  writeProfile("gfx908.test.profraw", "");
  expectRefusal(reportProgram(), "no gfx908 profile can be read (1 found)");
  EXPECT_TRUE(coverage().at("sides").contains("gfx90a"));
}
