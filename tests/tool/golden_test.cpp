// Whole outputs of small reports, in every form, compared with those in golden/. After a change
// that is meant, DEVICE_COVERAGE_UPDATE_GOLDEN=1 writes them anew; look at the difference before it
// is committed.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>

#include "support/report_fixture.h"

using namespace test_support;

namespace {

class GoldenTest : public ReportFixture {
protected:
  void SetUp() override { setenv("SOURCE_DATE_EPOCH", "1700000000", 1); }
  void TearDown() override { unsetenv("SOURCE_DATE_EPOCH"); }

  device_coverage::ChildResult makeReport(const std::string& object = "program") {
    return report({"--object", fixture(object).string(), "--format", "lcov", "--format",
                   "cobertura", "--name", "golden"});
  }

  /// Compares all files of the report but llvm-cov's own pages and what is binary.
  void expectGolden(const std::string& name) {
    const auto golden = std::filesystem::path(GOLDEN_FOLDER) / name;
    const auto made = outputs();
    if (std::getenv("DEVICE_COVERAGE_UPDATE_GOLDEN") != nullptr)
      write(golden, made);
    std::vector<std::string> expected = namesIn(golden);
    std::sort(expected.begin(), expected.end());
    std::vector<std::string> names;
    for (const auto& [file, text] : made)
      names.push_back(file);
    EXPECT_EQ(names, expected);
    for (const auto& [file, text] : made)
      if (std::filesystem::exists(golden / file)) {
        EXPECT_EQ(text, readText(golden / file)) << name << "/" << file;
      }
  }

private:
  static void write(const std::filesystem::path& folder,
                    const std::map<std::string, std::string>& files) {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    for (const auto& [file, text] : files)
      std::ofstream(folder / file, std::ios::binary) << text;
  }

  /// By a name made of folder and file, `lcov-host.info`.
  std::map<std::string, std::string> outputs() const {
    std::map<std::string, std::string> files;
    for (const char* place : {".", "lcov", "cobertura", "html", "html/files"}) {
      if (!std::filesystem::exists(output() / place))
        continue;
      for (const auto& entry : std::filesystem::directory_iterator(output() / place))
        if (entry.is_regular_file() && isText(entry.path())) {
          const std::string kind = std::filesystem::path(place).filename();
          files[(kind == "." ? "" : kind + "-") + shortName(entry.path())] =
              normalised(readText(entry.path()));
        }
    }
    return files;
  }

  static bool isText(const std::filesystem::path& path) {
    const std::string extension = path.extension();
    return extension == ".txt" || extension == ".json" || extension == ".info" ||
           extension == ".xml" || extension == ".html";
  }

  /// Pages of sources have the source's whole path in their names.
  static std::string shortName(const std::filesystem::path& path) {
    const std::string name = path.filename();
    std::smatch match;
    return std::regex_search(name, match, std::regex("[a-z]+\\.hip.*")) ? match.str() : name;
  }

  /// Without what differs between machines and versions of LLVM and of this program.
  std::string normalised(std::string text) const {
    const std::filesystem::path sources(FIXTURE_SOURCES);
    for (const auto& [from, to] :
         {std::pair{folder().path().string(), "@FOLDER@"}, std::pair{sources.string(), "@SOURCES@"},
          std::pair{sources.parent_path().parent_path().parent_path().string(), "@ROOT@"}})
      for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at))
        text.replace(at, from.size(), to);
    text = std::regex_replace(text, std::regex("\"llvm_version\": \"[^\"]*\""),
                              "\"llvm_version\": \"@LLVM@\"");
    text = std::regex_replace(text, std::regex("LLVM [0-9]+\\.[0-9.]+"), "LLVM @LLVM@");
    text = std::regex_replace(text, std::regex("device-coverage [0-9]+\\.[0-9.]+"),
                              "device-coverage @VERSION@");
    // Pages of sources: the name begins with the path, in whatever form.
    return std::regex_replace(text, std::regex("files/[^\"?]*?([a-z]+\\.hip)"), "files/$1");
  }
};

Counters someCounters(uint64_t threads) {
  return {{"kernel", {threads}},
          {"onBothSides", {threads, 40}},
          {"deviceOnly", {threads, 640, 200, 100, 77}},
          {"_Z7squaredIiET_S0_", {threads, 3}}};
}

} // namespace

TEST_F(GoldenTest, HostOnly) {
  runHost("program");
  EXPECT_EQ(report({"--object", fixture("host-object.o").string(), "--format", "lcov", "--format",
                    "cobertura", "--name", "golden"})
                .status,
            0);
  expectGolden("host-only");
}

TEST_F(GoldenTest, DeviceOnly) {
  writeDevice("gfx90a", someCounters(64));
  const auto image = deviceImage("gfx90a");
  EXPECT_EQ(report({"--code-object", image.string(), "--format", "lcov", "--format", "cobertura",
                    "--name", "golden"})
                .status,
            0);
  expectGolden("device-only");
}

TEST_F(GoldenTest, HostAndOneOfTwoArchitectures) {
  runHost("program");
  writeDevice("gfx90a", someCounters(64));
  EXPECT_EQ(makeReport().status, 0);
  expectGolden("host-and-device");
}

TEST_F(GoldenTest, TwoArchitectures) {
  runHost("program");
  writeDevice("gfx90a", someCounters(64));
  writeDevice("gfx908", {{"kernel", {32}}});
  EXPECT_EQ(makeReport().status, 0);
  expectGolden("two-architectures");
}

TEST_F(GoldenTest, EmptyAndDamagedProfiles) {
  runHost("program");
  writeDevice("gfx90a", someCounters(64));
  std::ofstream(profiles() / "gfx90a.empty.profraw").close();
  std::ofstream(profiles() / "text.profraw") << "no profile";
  EXPECT_EQ(makeReport().status, 3);
  expectGolden("damaged");
}

TEST_F(GoldenTest, Templates) {
  runHost("templates");
  writeDevice("gfx90a", {{"kernel", {64}}, {"_Z7clampedIiLi5EEiT_", {64, 64}}}, "test.profraw", "",
              "templates");
  EXPECT_EQ(makeReport("templates").status, 0);
  expectGolden("templates");
}

TEST_F(GoldenTest, Macros) {
  runHost("macros");
  writeDevice("gfx90a", {{"kernel", {64}}, {"counted", {64, 1, 63}}}, "test.profraw", "", "macros");
  EXPECT_EQ(makeReport("macros").status, 0);
  expectGolden("macros");
}

TEST_F(GoldenTest, Branches) {
  runHost("branches");
  writeDevice("gfx90a", {{"kernel", {64}}, {"chosen", {64, 0, 64}}, {"looped", {64, 640, 64}}},
              "test.profraw", "", "branches");
  EXPECT_EQ(makeReport("branches").status, 0);
  expectGolden("branches");
}

TEST_F(GoldenTest, EmptyFunctions) {
  runHost("empty");
  writeDevice("gfx90a", {{"kernel", {64}}}, "test.profraw", "", "empty");
  EXPECT_EQ(makeReport("empty").status, 0);
  expectGolden("empty");
}
