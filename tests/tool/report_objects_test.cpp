// Which code a report is about: objects that nobody listed, and functions of two bodies.
#include "binary_id.h"
#include "mapped_file.h"
#include "support/report_fixture.h"

using namespace test_support;

namespace {

class ReportObjectsTest : public ReportFixture {
protected:
  /// The code object where a drain stores one that is in no file.
  std::filesystem::path storeCodeObject(const std::filesystem::path& folder,
                                        const std::string& id = "00c0ffee00c0ffee",
                                        const std::string& program = "program") {
    const auto path = folder / "code-objects" / ("gfx90a-" + id + ".hsaco");
    std::filesystem::create_directories(path.parent_path());
    std::filesystem::copy(deviceImage("gfx90a", program), path);
    return path;
  }

  /// What a drain writes as the ID of program's code object.
  std::string idOfProgram() {
    const device_coverage::MappedFile file(deviceImage("gfx90a"), "test");
    return device_coverage::binaryIdText(device_coverage::ElfFile(file.bytes()));
  }
  static std::string bytesOf(const std::string& hex) {
    std::string bytes;
    for (size_t i = 0; i < hex.size(); i += 2)
      bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    return bytes;
  }
};

} // namespace

TEST_F(ReportObjectsTest, CodeStoredBesideTheProfilesIsFoundByItself) {
  writeDevice("gfx90a", {{"kernel", {64}}});
  storeCodeObject(profiles());
  const auto result = report({});
  ASSERT_EQ(result.status, 0) << result.errorOutput;
  EXPECT_EQ(programLines().at("25"), nlohmann::json({{"gfx90a", 64}}));
  EXPECT_NE(result.errorOutput.find("1 code objects stored beside the profiles"),
            std::string::npos);
}

TEST_F(ReportObjectsTest, StoredCodeThatIsAlsoInAListedFileIsOneObject) {
  writeDevice("gfx90a", {{"kernel", {64}}});
  runHost("program");
  storeCodeObject(profiles() / "rank 3");
  storeCodeObject(profiles() / "rank 4");
  ASSERT_EQ(reportProgram().status, 0);
  EXPECT_EQ(coverage().at("sides").at("gfx90a").at("objects"), 1);
}

TEST_F(ReportObjectsTest, CodeObjectsElsewhereInTheProfileFolderAreNotTaken) {
  writeDevice("gfx90a", {{"kernel", {64}}});
  std::filesystem::copy(deviceImage("gfx90a"), profiles() / "other.hsaco");
  EXPECT_EQ(report({}).status, 2);
}

TEST_F(ReportObjectsTest, StoredCodeOfAnotherBuildIsLeftOut) {
  writeDevice("gfx90a", {{"kernel", {64}}}, "test.profraw", bytesOf(idOfProgram()));
  storeCodeObject(profiles(), idOfProgram());
  storeCodeObject(profiles(), "00c0ffee00c0ffee", "other-program");
  const auto result = report({});
  ASSERT_EQ(result.status, 0) << result.errorOutput;
  EXPECT_EQ(programLines().at("25"), nlohmann::json({{"gfx90a", 64}}));
  EXPECT_EQ(coverage().at("sides").at("gfx90a").at("objects"), 1);
  const std::string summary = readText(output() / "summary.txt");
  EXPECT_NE(summary.find("1 code object stored beside the profiles left out"), std::string::npos)
      << summary;
  EXPECT_EQ(summary.find("code that counted is in none of the objects"), std::string::npos)
      << summary;
}

TEST_F(ReportObjectsTest, CodeThatCountedButIsInNoObjectIsNamedByItsId) {
  writeDevice("gfx90a", {{"kernel", {64}}}, "test.profraw", bytesOf(idOfProgram()));
  writeDevice("gfx90a", {{"kernel", {1}}}, "other.profraw", bytesOf("0badcafe"));
  runHost("program");
  reportProgram();
  const std::string summary = readText(output() / "summary.txt");
  EXPECT_NE(summary.find("gfx90a: code that counted is in none of the objects"), std::string::npos)
      << summary;
  EXPECT_NE(summary.find("binary ID 0badcafe\n"), std::string::npos) << summary;
}

TEST_F(ReportObjectsTest, DamagedStoredCodeIsNamed) {
  writeDevice("gfx90a", {{"kernel", {64}}});
  runHost("program");
  const auto stored = storeCodeObject(profiles());
  std::filesystem::resize_file(stored, 100);
  const auto result = reportProgram();
  EXPECT_EQ(result.status, 3);
  EXPECT_NE(result.errorOutput.find(stored.string()), std::string::npos) << result.errorOutput;
  EXPECT_TRUE(coverage().at("sides").contains("gfx90a"));
}

TEST_F(ReportObjectsTest, FunctionsOfTwoBodiesAreListed) {
  runHost("program");
  runHost("other-program", "other.profraw");
  const auto result = report(
      {"--object", fixture("program").string(), "--object", fixture("other-program").string()});
  EXPECT_EQ(coverage().at("ambiguous_functions").at("host"), nlohmann::json({"onBothSides"}))
      << result.errorOutput;
  EXPECT_NE(readText(output() / "summary.txt").find("two different bodies"), std::string::npos);
}

TEST_F(ReportObjectsTest, FunctionsOfOneBodyAreNotListed) {
  runHost("program");
  runHost("program", "again.profraw");
  ASSERT_NE(reportProgram().status, 2);
  EXPECT_EQ(coverage().at("ambiguous_functions").at("host"), nlohmann::json::array());
}

class UnloadedCodeTest : public ReportObjectsTest {
protected:
  /// A report on two programs' code objects for gfx90a, of which only the first was loaded.
  device_coverage::ChildResult makeReport(const std::vector<std::string>& more) {
    writeDevice("gfx90a", {{"kernel", {64}}}, "test.profraw", bytesOf(idOfProgram()));
    std::vector<std::string> arguments{"--code-object", deviceImage("gfx90a").string(),
                                       "--code-object", deviceImage("gfx90a", "macros").string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return report(arguments);
  }

  uint64_t objects() const { return coverage().at("sides").at("gfx90a").at("objects"); }
};

TEST_F(UnloadedCodeTest, CountsAsUncoveredUnlessToldOtherwise) {
  ASSERT_EQ(makeReport({}).status, 0);
  EXPECT_EQ(objects(), 2U);
  EXPECT_EQ(coverage().at("files").size(), 2U);
}

TEST_F(UnloadedCodeTest, IsLeftOutAndNamedWhenToldTo) {
  const auto result = makeReport({"--unloaded", "omit"});
  ASSERT_EQ(result.status, 0) << result.errorOutput;
  EXPECT_EQ(objects(), 1U);
  EXPECT_EQ(coverage().at("files").size(), 1U);
  EXPECT_NE(result.output.find(deviceImage("gfx90a", "macros").string() +
                               " was never loaded and is left out"),
            std::string::npos)
      << result.output;
}

TEST_F(UnloadedCodeTest, WithoutBuildIdsNothingIsLeftOutAndThatIsSaid) {
  runHost("program");
  const auto result = report({"--object", fixture("host-object.o").string(), "--unloaded", "omit"});
  ASSERT_EQ(result.status, 0) << result.errorOutput;
  EXPECT_NE(result.output.find("1 of 1 objects have no build ID"), std::string::npos)
      << result.output;
}

TEST_F(UnloadedCodeTest, SideOfWhichNothingWasLoadedIsNotMeasured) {
  runHost("program");
  writeDevice("gfx90a", {{"kernel", {64}}}, "test.profraw", bytesOf(idOfProgram()));
  const auto result = report({"--object", fixture("program").string(), "--profiles",
                              profiles().string(), "--unloaded", "omit"});
  ASSERT_EQ(result.status, 0) << result.errorOutput;
  EXPECT_EQ(objects(), 1U);
  const auto other = report({"--object", fixture("macros").string(), "--unloaded", "omit"});
  EXPECT_EQ(other.status, 3) << "nothing of the program was loaded";
  EXPECT_NE(other.errorOutput.find("no side can be measured"), std::string::npos)
      << other.errorOutput;
}
