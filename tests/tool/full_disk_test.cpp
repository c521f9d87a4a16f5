// A disk that is full: one clear line, the data status, and nothing left behind.
#include <functional>

#include "support/report_fixture.h"

using namespace test_support;

namespace {

using Arguments = std::vector<std::string>;

class FullDiskTest : public ReportFixture {
protected:
  void SetUp() override {
    runHost("program");
    writeDevice("gfx90a", {{"kernel", {64}}});
  }

  std::string out() const { return (folder().path() / "out").string(); }

  Arguments reportArguments(const std::string& output) const {
    return {"report",
            "--quiet",
            "--object",
            fixture("program").string(),
            "--profiles",
            profiles().string(),
            "-o",
            output,
            "--llvm-profdata",
            llvmTool("llvm-profdata"),
            "--llvm-cov",
            llvmTool("llvm-cov")};
  }

  /// By a shell that first does `preparation`; `redirection` follows the command.
  static device_coverage::ChildResult runInShell(const std::string& preparation,
                                                 const Arguments& arguments,
                                                 const std::string& redirection = "") {
    Arguments shell{"sh", "-c", preparation + "exec \"$0\" \"$@\" " + redirection,
                    DEVICE_COVERAGE_PROGRAM};
    shell.insert(shell.end(), arguments.begin(), arguments.end());
    return device_coverage::runChild(shell);
  }

  static void expectOneLine(const device_coverage::ChildResult& result, const std::string& words) {
    EXPECT_EQ(result.status, 3) << result.errorOutput;
    EXPECT_TRUE(result.errorOutput.starts_with("DeviceCoverage: ")) << result.errorOutput;
    EXPECT_NE(result.errorOutput.find(words), std::string::npos) << result.errorOutput;
    EXPECT_EQ(countLines(result.errorOutput), 1U) << result.errorOutput;
  }
};

} // namespace

TEST_F(FullDiskTest, ResultsThatCannotBePrintedAreAnError) {
  const std::string program = fixture("program").string();
  for (const Arguments& arguments : {Arguments{"inspect", program},
                                     {"inspect", "--json", program},
                                     {"show-env"},
                                     {"show-env", "--json"},
                                     {"show-reference", "man"},
                                     {"extract", program, "-o", out()},
                                     {"merge", "--quiet", profiles().string(), "-o", out(),
                                      "--llvm-profdata", llvmTool("llvm-profdata")},
                                     reportArguments(out())}) {
    SCOPED_TRACE(arguments.at(0));
    expectOneLine(runInShell("", arguments, ">/dev/full"),
                  "the standard output cannot be written (no space left on device)");
  }
}

TEST_F(FullDiskTest, OutputsThatDoNotFitAreRemoved) {
  // A limit on the size of files stands for a disk with so much room.
  constexpr const char* kLimit = "trap '' XFSZ; ulimit -f 4; ";
  const std::string program = fixture("program").string();
  for (const Arguments& arguments : {Arguments{"extract", program, "-o", out()},
                                     {"show-reference", "man", "-o", out() + "/man"}}) {
    SCOPED_TRACE(arguments.at(0));
    std::filesystem::create_directories(out());
    expectOneLine(runInShell(kLimit, arguments), "cannot be written (file too large)");
    EXPECT_EQ(namesIn(out()), Arguments{});
  }
}

TEST_F(FullDiskTest, ReportThatDoesNotFitLeavesTheEarlierOne) {
  ASSERT_EQ(runProgram(reportArguments(out())).status, 0);
  const auto names = namesIn(out());
  const std::string summary = readText(out() + "/summary.txt");
  for (const char* limit : {"1", "8", "24"}) {
    SCOPED_TRACE(limit);
    const auto result =
        runInShell(std::string("trap '' XFSZ; ulimit -f ") + limit + "; ", reportArguments(out()));
    EXPECT_EQ(result.status, 3) << result.errorOutput;
    for (const std::string& line : device_coverage::splitLines(result.errorOutput))
      EXPECT_TRUE(line.starts_with("DeviceCoverage: ")) << line;
    EXPECT_EQ(namesIn(out()), names);
    EXPECT_EQ(readText(out() + "/summary.txt"), summary);
  }
}

TEST_F(FullDiskTest, MergeThatDoesNotFitLeavesNothing) {
  const auto result = runInShell("trap '' XFSZ; ulimit -f 1; ",
                                 {"merge", "--quiet", profiles().string(), "-o", out(),
                                  "--llvm-profdata", llvmTool("llvm-profdata")});
  EXPECT_EQ(result.status, 3) << result.errorOutput;
  EXPECT_EQ(countLines(result.errorOutput), 1U) << result.errorOutput;
  EXPECT_FALSE(std::filesystem::exists(out()));
}
