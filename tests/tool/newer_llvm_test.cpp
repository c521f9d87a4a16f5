// Files of an LLVM that is newer than the tools at hand. NEWER_LLVM_BIN names its programs.
#include <cstdlib>

#include "support/report_fixture.h"

using namespace test_support;

namespace {

class NewerLlvmTest : public ReportFixture {
protected:
  void SetUp() override {
    const char* place = std::getenv("NEWER_LLVM_BIN");
    newer_ = place != nullptr ? place : "";
    if (newer_.empty() || !std::filesystem::exists(newer_ / "clang++"))
      GTEST_SKIP() << "no newer LLVM is unpacked";
  }

  std::string tool(const std::string& name) const { return (newer_ / name).string(); }

  void run(const std::vector<std::string>& command) const {
    const auto result = device_coverage::runChild(command);
    ASSERT_EQ(result.status, 0) << result.errorOutput;
  }

  /// A program of the newer compiler, and its profile.
  std::string makeProgram() {
    const auto source =
        folder().write("main.cpp", "int main(int argc, char**) { return argc > 1; }");
    const std::string program = (folder().path() / "newer").string();
    run({tool("clang++"), "-fprofile-instr-generate", "-fcoverage-mapping", source.string(), "-o",
         program});
    run({"env", "LLVM_PROFILE_FILE=" + (profiles() / "host.profraw").string(), program});
    return program;
  }

private:
  std::filesystem::path newer_;
};

} // namespace

TEST_F(NewerLlvmTest, ItsProfilesAreRefusedWithTheVersionsAndTheRemedy) {
  const std::string program = makeProgram();
  const auto merged =
      runProgram({"merge", "--quiet", profiles().string(), "-o", (folder().path() / "out").string(),
                  "--llvm-profdata", llvmTool("llvm-profdata")});
  for (const auto& result : {merged, report({"--quiet", "--object", program})}) {
    EXPECT_EQ(result.status, 3);
    const std::string line = result.errorOutput.substr(0, result.errorOutput.find('\n'));
    EXPECT_NE(line.find((profiles() / "host.profraw").string()), std::string::npos) << line;
    EXPECT_NE(line.find("version = 11; expected version = 10"), std::string::npos) << line;
    EXPECT_TRUE(
        line.ends_with("use the llvm-profdata and llvm-cov of the compiler that built the tests"))
        << line;
  }
  EXPECT_EQ(countLines(merged.errorOutput), 1U);
  EXPECT_FALSE(std::filesystem::exists(folder().path() / "out"));
  EXPECT_FALSE(std::filesystem::exists(output()));
}

TEST_F(NewerLlvmTest, ItsOwnToolsGiveTheReport) {
  const std::string program = makeProgram();
  const auto result = report({"--object", program, "--llvm-profdata", tool("llvm-profdata"),
                              "--llvm-cov", tool("llvm-cov")});
  EXPECT_EQ(result.status, 0) << result.errorOutput;
  EXPECT_EQ(coverage().at("sides").at("host").at("functions"),
            nlohmann::json({{"count", 1}, {"covered", 1}}));
}

TEST_F(NewerLlvmTest, OffloadBinariesOfSeveralImagesAreRead) {
  const auto packed = folder().path() / "packed";
  const auto image = [&](const char* target) {
    return "--image=file=" + deviceImage(target).string() +
           ",triple=amdgcn-amd-amdhsa,arch=" + target + ",kind=hip";
  };
  run({tool("llvm-offload-binary"), "-o", packed.string(), image("gfx90a"), image("gfx908")});
  const auto result = runProgram({"inspect", "--json", packed.string()});
  ASSERT_EQ(result.status, 0) << result.errorOutput;
  const auto inspected = nlohmann::json::parse(result.output);
  const auto& entries = inspected.at("files").at(0).at("entries");
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries.at(0).at("target"), "gfx90a");
  EXPECT_EQ(entries.at(1).at("target"), "gfx908");
  for (const auto& entry : entries)
    EXPECT_EQ(entry.at("kernels"), nlohmann::json({"kernel"}));

  const std::string whole = readText(packed);
  for (size_t length = 1; length < whole.size(); length += whole.size() / 40) {
    const auto cut = folder().write("cut", whole.substr(0, length));
    EXPECT_EQ(runProgram({"inspect", cut.string()}).status, 3) << length;
  }
}
