// Which code a report is about: objects that nobody listed, and functions of two bodies.
#include "support/report_fixture.h"

using namespace test_support;

namespace {

class ReportObjectsTest : public ReportFixture {
protected:
  /// The code object where a drain stores one that is in no file.
  std::filesystem::path storeCodeObject(const std::filesystem::path& folder) {
    const auto path = folder / "code-objects" / "gfx90a-00c0ffee00c0ffee.hsaco";
    std::filesystem::create_directories(path.parent_path());
    std::filesystem::copy(deviceImage("gfx90a"), path);
    return path;
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
