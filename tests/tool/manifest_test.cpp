#include "manifest.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "message.h"
#include "path_filter.h"
#include "path_map.h"
#include "support/temporary_folder.h"

using namespace device_coverage;
using nlohmann::json;

namespace {

json sample() {
  return {{"format", "device-coverage-manifest"},
          {"version", 1},
          {"report", "coverage"},
          {"source_directory", "/s"},
          {"build_directory", "/b"},
          {"profile_directory", "/b/p"},
          {"output_directory", "/b/o"},
          {"tools", {{"llvm_profdata", "/t/p"}, {"llvm_cov", "/t/c"}, {"llvm_version", "22.1.8"}}},
          {"device_coverage", {{"enabled", false}, {"blocker", "no GPU target"}}},
          {"objects",
           {{{"path", "/b/test"}, {"kind", "host"}},
            {{"path", "/b/k.hsaco"}, {"kind", "code_object"}}}},
          {"ignore", {".*/ext/.*"}}};
}

/// The message with which a manifest is refused.
std::string refusal(const std::string& content) {
  const test_support::TemporaryFolder folder;
  try {
    loadManifest(folder.write("device-coverage.json", content));
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::Data);
    EXPECT_NE(failure.message().fact.find("device-coverage.json"), std::string::npos);
    return failure.what();
  }
  return "accepted";
}

std::string refusalWith(const char* pointer, const json& value) {
  json manifest = sample();
  manifest[json::json_pointer(pointer)] = value;
  return refusal(manifest.dump());
}

} // namespace

TEST(ManifestTest, AllKeysArrive) {
  const test_support::TemporaryFolder folder;
  const Manifest manifest = loadManifest(folder.write("m.json", sample().dump()));
  EXPECT_EQ(manifest.report, "coverage");
  EXPECT_EQ(manifest.profiles, std::vector<std::filesystem::path>{"/b/p"});
  EXPECT_EQ(manifest.outputDirectory, "/b/o");
  EXPECT_EQ(manifest.llvmCov, "/t/c");
  EXPECT_FALSE(manifest.device->enabled);
  EXPECT_EQ(manifest.device->blocker, "no GPU target");
  ASSERT_EQ(manifest.objects.size(), 2U);
  EXPECT_EQ(manifest.objects[1].kind, ManifestObject::Kind::CodeObject);
  EXPECT_EQ(manifest.ignore, std::vector<std::string>{".*/ext/.*"});
}

TEST(ManifestTest, TargetsThatWereLeftOutArriveAndMayBeMissing) {
  const test_support::TemporaryFolder folder;
  json file = sample();
  EXPECT_TRUE(loadManifest(folder.write("m.json", file.dump())).device->leftOut.empty());
  file["device_coverage"]["left_out"] = {{{"target", "gfx908"}, {"reason", "it does not link"}}};
  const Manifest manifest = loadManifest(folder.write("m.json", file.dump()));
  ASSERT_EQ(manifest.device->leftOut.size(), 1U);
  EXPECT_EQ(manifest.device->leftOut[0].target, "gfx908");
  EXPECT_EQ(manifest.device->leftOut[0].reason, "it does not link");
}

TEST(ManifestTest, EveryMissingKeyIsNamed) {
  const json whole = sample();
  for (const auto& [key, value] : whole.items()) {
    json manifest = whole;
    manifest.erase(key);
    EXPECT_NE(refusal(manifest.dump()).find("`" + key + "`"), std::string::npos) << key;
  }
}

TEST(ManifestTest, AnotherVersionIsRefused) {
  EXPECT_NE(refusalWith("/version", 2).find("version 2"), std::string::npos);
}

TEST(ManifestTest, WrongValuesAreNamed) {
  EXPECT_NE(refusalWith("/format", "other").find("`format`"), std::string::npos);
  EXPECT_NE(refusalWith("/output_directory", "relative").find("`relative`"), std::string::npos);
  EXPECT_NE(refusalWith("/objects/0/kind", "gpu").find("`gpu`"), std::string::npos);
  EXPECT_NE(refusalWith("/objects/0", 7).find("7"), std::string::npos);
  EXPECT_NE(refusalWith("/device_coverage/enabled", "yes").find("\"yes\""), std::string::npos);
  EXPECT_NE(refusalWith("/ignore/0", 3).find("3"), std::string::npos);
}

TEST(ManifestTest, TextAndCutJsonAreRefused) {
  const std::string whole = sample().dump();
  EXPECT_NE(refusal("hello").find("not valid JSON"), std::string::npos);
  EXPECT_NE(refusal(whole.substr(0, whole.size() / 2)).find("not valid JSON"), std::string::npos);
  EXPECT_NE(refusal("[]").find("`format`"), std::string::npos);
}

TEST(ManifestTest, MissingFileAndFolderAreTold) {
  const test_support::TemporaryFolder folder;
  EXPECT_THROW(loadManifest(folder.path() / "absent.json"), Failure);
  EXPECT_THROW(loadManifest(folder.path()), Failure);
}

namespace {

bool keeps(const FilterRules& rules, const std::string& path) {
  return !PathFilter(rules).reasonToIgnore(path).has_value();
}

} // namespace

TEST(PathFilterTest, ExpressionMustMatchTheWholePath) {
  FilterRules rules;
  rules.ignore = {"ext.*", ".*/third/.*"};
  EXPECT_FALSE(keeps(rules, "ext/a.h"));
  EXPECT_FALSE(keeps(rules, "/s/third/a.h"));
  EXPECT_TRUE(keeps(rules, "/s/next/a.h"));
  EXPECT_TRUE(keeps(rules, "/s/context.h"));
}

TEST(PathFilterTest, GlobsStayWithinAFolderUnlessDoubled) {
  FilterRules rules;
  rules.ignore = {"glob:/s/*.h", "glob:/s/**/test_?.cpp"};
  EXPECT_FALSE(keeps(rules, "/s/a.h"));
  EXPECT_TRUE(keeps(rules, "/s/d/a.h"));
  EXPECT_TRUE(keeps(rules, "/s/axh"));
  EXPECT_FALSE(keeps(rules, "/s/d/e/test_1.cpp"));
  EXPECT_TRUE(keeps(rules, "/s/d/e/test_12.cpp"));
}

TEST(PathFilterTest, BuildAndSystemFoldersAreLeftOutByDefault) {
  FilterRules rules;
  rules.sourceDirectory = "/s";
  rules.buildDirectory = "/s/build";
  EXPECT_TRUE(keeps(rules, "/s/a.h"));
  EXPECT_FALSE(keeps(rules, "/s/build/generated.h"));
  EXPECT_TRUE(keeps(rules, "/s/builder/a.h"));
  EXPECT_FALSE(keeps(rules, "/usr/include/hip/a.h"));
  EXPECT_FALSE(keeps(rules, "/opt/rocm-7.1/include/a.h"));
  rules.include = {"glob:/s/build/**"};
  EXPECT_TRUE(keeps(rules, "/s/build/generated.h"));
  EXPECT_FALSE(keeps(rules, "/s/a.h"));
}

TEST(PathFilterTest, SourceFolderInsideOfTheBuildFolderIsKept) {
  FilterRules rules;
  rules.sourceDirectory = "/b/_deps/s";
  rules.buildDirectory = "/b";
  EXPECT_TRUE(keeps(rules, "/b/_deps/s/a.h"));
  EXPECT_FALSE(keeps(rules, "/b/other.h"));
  rules.sourceDirectory = "/b";
  EXPECT_TRUE(keeps(rules, "/b/a.h")) << "a build in the source folder";
}

TEST(PathFilterTest, BrokenExpressionIsAUsageError) {
  FilterRules rules;
  rules.ignore = {"(a"};
  try {
    const PathFilter filter(rules);
    FAIL() << "`(a` was accepted";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::Usage);
    EXPECT_NE(failure.message().fact.find("`(a`"), std::string::npos);
  }
}

TEST(PathMapTest, WholeFolderNamesAreMapped) {
  const std::vector<PathMapping> map{PathMapping::parse("/ci/src=/home/me/src/"),
                                     PathMapping::parse("/ci=/other")};
  EXPECT_EQ(mapPath(map, "/ci/src/a.h"), "/home/me/src/a.h");
  EXPECT_EQ(mapPath(map, "/ci/srcs/a.h"), "/other/srcs/a.h");
  EXPECT_EQ(mapPath(map, "/cinema/a.h"), "/cinema/a.h");
  for (const char* text : {"/a", "a=/b", "/a=b", ""})
    EXPECT_THROW(PathMapping::parse(text), Failure) << text;
}
