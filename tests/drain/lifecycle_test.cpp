// The drain as the library that consumers build and load: what it needs, offers and does to a
// process.
#include "test_files.h"

#include <algorithm>
#include <csignal>
#include <gtest/gtest.h>
#include <sstream>

namespace {

std::string exportedSymbols() {
  std::istringstream lines(
      run("'" LLVM_BIN_DIR "/llvm-nm' -D --defined-only '" DRAIN_LIBRARY "'").output);
  std::string names;
  for (std::string line; std::getline(lines, line);)
    names += line.substr(line.rfind(' ') + 1) + '\n';
  return names;
}

std::string dynamicSection() {
  return run("'" LLVM_BIN_DIR "/llvm-readelf' -d '" DRAIN_LIBRARY "'").output;
}

CommandResult runHost(const ScratchFolder& scratch, const std::string& mode,
                      const std::string& pattern = "x.profraw") {
  return run("cd '" + scratch.path().string() + "' && LLVM_PROFILE_FILE='" + pattern +
             "' '" LIFECYCLE_HOST "' " + mode);
}

// The program counted to 3 in one counter of eight.
const std::string kThree = "3";

std::string onlyCount(const std::string& counts) {
  std::string found;
  std::istringstream words(counts);
  for (std::string word; words >> word;)
    if (isdigit(static_cast<unsigned char>(word[0])) && word != "0")
      found += (found.empty() ? "" : " ") + word;
  return found;
}

TEST(Library, offersItsInterfaceAndNothingElse) {
  EXPECT_EQ(exportedSymbols(),
            "OnLoad\nOnUnload\n__llvm_profile_hip_collect_device_data\n"
            "__llvm_profile_offload_register_dynamic_module\n"
            "__llvm_profile_offload_register_section_shadow_variable\n"
            "__llvm_profile_offload_register_shadow_variable\n"
            "__llvm_profile_offload_unregister_dynamic_module\ndevice_coverage_abi_version\ndevice_"
            "coverage_flush\n"
            "device_coverage_reset\ndevice_coverage_set_profile_name\ndevice_coverage_status\n"
            "hsa_executable_destroy\nhsa_executable_freeze\nhsa_shut_down\n");
}

TEST(Library, needsTheCLibraryAlone) {
  std::istringstream lines(dynamicSection());
  size_t needed = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("NEEDED") == std::string::npos)
      continue;
    const bool ofLibc =
        line.find("[libc.so") != std::string::npos || line.find("[libdl.so") != std::string::npos;
    EXPECT_TRUE(ofLibc) << line;
    ++needed;
  }
  EXPECT_GT(needed, 0u);
}

TEST(Library, isFoundBySonameAndStaysMapped) {
  EXPECT_NE(dynamicSection().find("soname: [libdevice_coverage.so]"), std::string::npos);
  EXPECT_NE(dynamicSection().find("NODELETE"), std::string::npos);
}

TEST(Lifecycle, theSonameIsAddedToOtherToolsBehindASpace) {
  const std::string print = "LD_PRELOAD='" DRAIN_LIBRARY "' env | grep ^HSA_TOOLS_LIB=";
  EXPECT_EQ(run(print).output, "HSA_TOOLS_LIB=libdevice_coverage.so\n");
  EXPECT_EQ(run("HSA_TOOLS_LIB=libother.so " + print).output,
            "HSA_TOOLS_LIB=libother.so libdevice_coverage.so\n");
  EXPECT_EQ(run("HSA_TOOLS_LIB='libdevice_coverage.so libother.so' " + print).output,
            "HSA_TOOLS_LIB=libdevice_coverage.so libother.so\n");
  EXPECT_EQ(run("HSA_TOOLS_LIB=libdevice_coverage.so.old " + print).output,
            "HSA_TOOLS_LIB=libdevice_coverage.so.old libdevice_coverage.so\n");
}

TEST(Lifecycle, switchedOffItStaysOutOfHsa) {
  EXPECT_EQ(run("DEVICE_COVERAGE_DRAIN=0 HSA_TOOLS_LIB=libother.so LD_PRELOAD='" DRAIN_LIBRARY
                "' env | grep ^HSA_TOOLS_LIB=")
                .output,
            "HSA_TOOLS_LIB=libother.so\n");
}

TEST(Lifecycle, aProcessThatNeverUsesHsaIsLeftAlone) {
  const ScratchFolder scratch;
  const CommandResult result = runHost(scratch, "without-hsa");
  EXPECT_EQ(result.status, 7);
  EXPECT_EQ(result.output, "");
  EXPECT_TRUE(scratch.files().empty());
}

TEST(Lifecycle, exitDrainsBeforeTheRuntimeUnloadsAndKeepsTheStatus) {
  const ScratchFolder scratch;
  const CommandResult result = runHost(scratch, "return");
  EXPECT_EQ(result.status, 7);
  EXPECT_EQ(result.output, "");
  EXPECT_EQ(onlyCount(countsIn(scratch.path() / "gfx90a.x.profraw")), kThree);
}

TEST(Lifecycle, handlersRegisteredAfterHsaStillCount) {
  const ScratchFolder scratch;
  EXPECT_EQ(runHost(scratch, "count-late").status, 7);
  EXPECT_EQ(onlyCount(countsIn(scratch.path() / "gfx90a.x.profraw")), "7");
}

TEST(Lifecycle, quickExitDrains) {
  const ScratchFolder scratch;
  EXPECT_EQ(runHost(scratch, "quick-exit").status, 7);
  EXPECT_EQ(onlyCount(countsIn(scratch.path() / "gfx90a.x.profraw")), kThree);
}

TEST(Lifecycle, flushBeforeUnderscoreExitDrains) {
  const ScratchFolder scratch;
  EXPECT_EQ(runHost(scratch, "_exit-after-flush").status, 7);
  EXPECT_EQ(onlyCount(countsIn(scratch.path() / "gfx90a.x.profraw")), kThree);
}

TEST(Lifecycle, signalsDrainOnRequestAndDoWhatTheyWouldHaveDone) {
  const ScratchFolder scratch;
  const CommandResult result =
      run("cd '" + scratch.path().string() + "' && DEVICE_COVERAGE_FLUSH_ON_SIGNAL=USR1,TERM " +
          "LLVM_PROFILE_FILE=x.profraw '" LIFECYCLE_HOST "' wait-for-signal");
  EXPECT_EQ(result.status, 128 + SIGTERM) << result.output;
  EXPECT_EQ(onlyCount(countsIn(scratch.path() / "gfx90a.x.profraw")), "7");
}

TEST(Lifecycle, aForkedChildIsStillEndedBySigterm) {
  const ScratchFolder scratch;
  const CommandResult result =
      run("cd '" + scratch.path().string() + "' && DEVICE_COVERAGE_FLUSH_ON_SIGNAL=TERM '" +
          std::string(LIFECYCLE_HOST "' fork-and-wait-for-signal"));
  EXPECT_EQ(result.status, 7) << result.output;
}

TEST(Lifecycle, aChildForkedBeforeHsaDrainsUnderItsOwnName) {
  const ScratchFolder scratch;
  EXPECT_EQ(runHost(scratch, "fork-before-hsa", "%p.profraw").status, 7);
  ASSERT_EQ(scratch.files().size(), 1u);
  EXPECT_EQ(onlyCount(countsIn(scratch.path() / scratch.files()[0])), kThree);
}

TEST(Lifecycle, aChildForkedAfterHsaTouchesNothingAndTheParentDrains) {
  const ScratchFolder scratch;
  const CommandResult result = runHost(scratch, "fork-after-hsa", "%p.profraw");
  EXPECT_EQ(result.status, 7) << result.output;
  ASSERT_EQ(scratch.files().size(), 1u);
  EXPECT_EQ(onlyCount(countsIn(scratch.path() / scratch.files()[0])), kThree);
}

TEST(Lifecycle, aRelativeNameStartsAtTheFolderOfTheStartAndNotOfTheExit) {
  const ScratchFolder scratch;
  EXPECT_EQ(runHost(scratch, "change-folder", "sub/x.profraw").status, 7);
  EXPECT_EQ(scratch.files(), std::vector<std::string>{"sub/gfx90a.x.profraw"});
}

TEST(Lifecycle, aPatternWithoutProcessIdKeepsEveryRun) {
  const ScratchFolder scratch;
  EXPECT_EQ(runHost(scratch, "return").status, 7);
  EXPECT_EQ(runHost(scratch, "return").status, 7);
  EXPECT_EQ(scratch.files().size(), 2u);
  for (const std::string& name : scratch.files())
    EXPECT_EQ(onlyCount(countsIn(scratch.path() / name)), kThree) << name;
}

TEST(Lifecycle, anUnwritableFolderCostsOneMessageAndNotTheExitStatus) {
  const ScratchFolder scratch;
  const CommandResult result = runHost(scratch, "return", "/proc/no/x.profraw");
  EXPECT_EQ(result.status, 7);
  EXPECT_EQ(result.output.rfind("DeviceCoverage: drain: ", 0), 0u) << result.output;
  EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
}

CommandResult runBesideCollector(const ScratchFolder& scratch, const std::string& order) {
  return run("cd '" + scratch.path().string() +
             "' && LLVM_PROFILE_FILE=x.profraw '" COLLECTOR_HOST + order + "' return");
}

TEST(Lifecycle, theToolchainsCollectorIsNotTakenIntoALinkBehindTheDrain) {
  const ScratchFolder scratch;
  const CommandResult result = runBesideCollector(scratch, "behind");
  EXPECT_EQ(result.status, 7);
  EXPECT_EQ(result.output, "");
  EXPECT_EQ(onlyCount(countsIn(scratch.path() / "gfx90a.x.profraw")), kThree);
}

TEST(Lifecycle, bothCollectorsInOneProgramAreWorthAWarning) {
  const ScratchFolder scratch;
  const CommandResult result = runBesideCollector(scratch, "ahead");
  EXPECT_EQ(result.status, 7);
  EXPECT_EQ(
      result.output.rfind("DeviceCoverage: drain: the toolchain's own collector is linked into "
                          "this process too;",
                          0),
      0u)
      << result.output;
  EXPECT_NE(result.output.find("the toolchain's collector collects\n"), std::string::npos);
}

// The compiler's real collector in a link like that of clang's driver.
TEST(Lifecycle, theCompilersCollectorIsNotTakenIntoALinkBehindTheDrain) {
  const std::string library = RESOURCE_DIR "/lib/linux/libclang_rt.profile_rocm-x86_64.a";
  if (!std::filesystem::exists(library))
    GTEST_SKIP() << "this compiler has no collector of its own";
  const ScratchFolder scratch;
  const std::string program = (scratch.path() / "program").string();
  const std::string ask = " -Wl,-u,__llvm_profile_offload_register_dynamic_module";
  const std::string ends =
      " '" + library + "'" + ask + " -ldl -pthread -lstdc++ -o '" + program + "'";
  const std::string start =
      "echo 'int main() {}' | '" CLANG "' -fprofile-instr-generate -x c++ - -x none ";
  const auto holdsCollector = [&] {
    return run("'" LLVM_BIN_DIR "/llvm-nm' --defined-only '" + program + "'")
               .output.find("__llvm_profile_hip_collect_device_data") != std::string::npos;
  };
  const CommandResult without = run(start + ends);
  ASSERT_EQ(without.status, 0) << without.output;
  EXPECT_TRUE(holdsCollector()) << "else this link is not like the driver's";
  const CommandResult with = run(start + "'" DRAIN_LIBRARY "'" + ends);
  ASSERT_EQ(with.status, 0) << with.output;
  EXPECT_FALSE(holdsCollector());
}

TEST(Lifecycle, theVerboseStoryEndsInACensus) {
  const ScratchFolder scratch;
  const CommandResult result = run("cd '" + scratch.path().string() +
                                   "' && DEVICE_COVERAGE_VERBOSE=1 '" LIFECYCLE_HOST "' return");
  EXPECT_NE(result.output.find("HSA loaded the drain"), std::string::npos);
  EXPECT_NE(result.output.find("found 3 instrumented functions for gfx90a"), std::string::npos);
  EXPECT_NE(result.output.find("gfx90a.default.profraw"), std::string::npos);
  EXPECT_NE(
      result.output.find("1 GPUs, 1 code objects loaded, 1 instrumented, 0 refused, 1 copies"),
      std::string::npos)
      << result.output;
}

} // namespace
