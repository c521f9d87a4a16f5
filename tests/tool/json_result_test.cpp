// What --json prints: every command states format and version, and every key is documented.
#include "support/report_fixture.h"

using namespace test_support;

namespace {

using Arguments = std::vector<std::string>;

class JsonResultTest : public ReportFixture {
protected:
  void SetUp() override {
    runHost("program");
    writeDevice("gfx90a", {{"kernel", {64}}});
    writeDevice("gfx908", {{"kernel", {64}}});
    ASSERT_EQ(reportProgram().status, 0);
  }

  std::string out() const { return (folder().path() / "out").string(); }
  std::string manifest() const {
    const nlohmann::json json = {{"format", "device-coverage-manifest"},
                                 {"version", 1},
                                 {"report", "coverage"},
                                 {"source_directory", folder().path()},
                                 {"build_directory", folder().path()},
                                 {"profile_directory", profiles()},
                                 {"output_directory", output()},
                                 {"tools",
                                  {{"llvm_profdata", llvmTool("llvm-profdata")},
                                   {"llvm_cov", llvmTool("llvm-cov")},
                                   {"llvm_version", ""}}},
                                 {"device_coverage", {{"enabled", true}, {"blocker", ""}}},
                                 {"objects", {{{"path", fixture("program")}, {"kind", "host"}}}},
                                 {"ignore", nlohmann::json::array()}};
    return folder().write("device-coverage.json", json.dump()).string();
  }

  /// Each command that prints a result, with the format that it states. `clean` is the last.
  std::vector<std::pair<std::string, Arguments>> commands() const {
    const std::string program = fixture("program").string();
    return {
        {"device-coverage-inspect", {"inspect", "--gpu", "gfx90a:xnack-", program}},
        {"device-coverage-extract", {"extract", program, "-o", out()}},
        {"device-coverage-merge",
         {"merge", profiles().string(), "-o", out(), "--llvm-profdata", llvmTool("llvm-profdata")}},
        {"device-coverage-check", {"check", "--report", output().string(), "--minimum", "lines=1"}},
        {"device-coverage-show-env", {"show-env"}},
        {"device-coverage-doctor", {"doctor", output().string()}},
        {"device-coverage-report-summary", {"report", "--manifest", manifest()}},
        {"device-coverage-clean", {"clean", "--manifest", manifest()}}};
  }

  static nlohmann::json parse(const std::string& text) {
    return nlohmann::json::parse(text, nullptr, false);
  }

  static void expectDocumented(const nlohmann::json& result) {
    static const std::string documents =
        readText(std::filesystem::path(DOCUMENTATION_FOLDER) / "command-json.md") +
        readText(std::filesystem::path(DOCUMENTATION_FOLDER) / "coverage-json.md");
    for (const auto& [key, value] : result.items())
      EXPECT_NE(documents.find("`" + key + "`"), std::string::npos) << key;
  }
};

} // namespace

TEST_F(JsonResultTest, EveryCommandStatesFormatAndVersionAndDocumentsItsKeys) {
  for (auto& [format, arguments] : commands()) {
    SCOPED_TRACE(format);
    arguments.emplace_back("--json");
    const auto result = runProgram(arguments);
    EXPECT_EQ(result.status, 0) << result.errorOutput;
    const auto json = parse(result.output);
    ASSERT_TRUE(json.is_object()) << result.output;
    EXPECT_EQ(json.value("format", ""), format);
    EXPECT_EQ(json.value("version", 0), 1);
    EXPECT_GT(json.size(), 2U);
    expectDocumented(json);
  }
}

TEST_F(JsonResultTest, QuietCommandsThatSucceedSayNothingOnStderr) {
  for (auto& [format, arguments] : commands()) {
    SCOPED_TRACE(format);
    arguments.emplace_back("--quiet");
    const auto result = runProgram(arguments);
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.errorOutput, "");
  }
  EXPECT_EQ(runProgram({"--quiet", "run", "--profiles", out(), "--", fixture("program").string()})
                .errorOutput,
            "");
}

TEST_F(JsonResultTest, ReportPrintsTheTotalsOfItsFile) {
  const auto result = parse(runProgram({"report", "--json", "--manifest", manifest()}).output);
  EXPECT_EQ(result.at("sides"), coverage().at("sides"));
  EXPECT_EQ(result.at("output"), output().string());
  EXPECT_EQ(result.at("missing_sides"), nlohmann::json::array());
}

TEST_F(JsonResultTest, FallenGatesAreToldWithTheirRemedy) {
  const auto result = runProgram(
      {"check", "--json", "--report", output().string(), "--minimum", "gfx90a:lines=100"});
  EXPECT_EQ(result.status, 1);
  const auto json = parse(result.output);
  ASSERT_EQ(json.at("fallen").size(), 1U);
  EXPECT_NE(json.at("fallen").at(0).at("remedy").get<std::string>().find("cover at least"),
            std::string::npos);
}

TEST_F(JsonResultTest, RunWritesItsResultBesideTheOutputOfTheProgram) {
  const auto file = folder().path() / "run.json";
  const auto result = runProgram({"run", "--profiles", out(), "--json", file.string(), "--", "sh",
                                  "-c", fixture("program").string() + "; echo mine; exit 5"});
  EXPECT_EQ(result.status, 5) << result.errorOutput;
  EXPECT_EQ(result.output, "mine\n");
  const auto json = parse(readText(file));
  EXPECT_EQ(json.at("format"), "device-coverage-run");
  EXPECT_EQ(json.at("version"), 1);
  EXPECT_EQ(json.at("status"), 5);
  EXPECT_EQ(json.at("written"), nlohmann::json({{"host", 1}}));
  expectDocumented(json);
}

TEST_F(JsonResultTest, ShowEnvGivesTheVariables) {
  const auto json = parse(runProgram({"show-env", "--json", "--profiles", out()}).output);
  EXPECT_TRUE(
      json.at("environment").at("LLVM_PROFILE_FILE").get<std::string>().starts_with(out() + "/"));
}

TEST_F(JsonResultTest, CleanCountsWhatItRemoved) {
  const auto json = parse(runProgram({"clean", "--json", "--manifest", manifest()}).output);
  EXPECT_EQ(json.at("profiles"), 3);
  EXPECT_EQ(json.at("code_objects"), 0);
  EXPECT_EQ(json.at("report"), true);
}
