// The drain under the real HSA and HIP, on the GPU of the tests: exact counts through every hazard.
#include "test_files.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

namespace {

using Counts = std::map<std::string, std::string>;

// Counts by function, of all device profiles in a folder together.
Counts countsBelow(const std::filesystem::path& folder, const std::string& prefix = "gfx90a.") {
  std::string files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().filename().string().rfind(prefix, 0) == 0)
      files.append(" '").append(entry.path().string()).append("'");
  if (files.empty())
    return {};
  const ScratchFolder merged;
  const std::filesystem::path profile = merged.path() / "merged.profdata";
  const CommandResult merge =
      run("'" LLVM_PROFDATA "' merge -o '" + profile.string() + "' " + files);
  EXPECT_EQ(merge.status, 0) << merge.output;
  Counts counts;
  std::istringstream lines(countsIn(profile));
  for (std::string line; std::getline(lines, line);)
    counts[line.substr(0, line.find(": "))] = line.substr(line.find(": ") + 2);
  return counts;
}

class Gpu : public testing::Test {
protected:
  // Runs the program in a folder of its own, on so many GPUs.
  CommandResult runProgram(const std::string& arguments, const std::string& program = "program",
                           int gpus = 1, const std::string& environment = "") {
    return runOn("gfx90a:" + std::to_string(gpus), arguments, program, environment);
  }
  CommandResult runOn(const std::string& gpus, const std::string& arguments,
                      const std::string& program, const std::string& environment = "") {
    const std::string simulated =
        std::string(GPU_SIMULATOR).empty() ? "" : "'" GPU_SIMULATOR "' --gpus " + gpus + " -- ";
    return run("cd '" + scratch.path().string() + "' && LLVM_PROFILE_FILE=%p.profraw " +
               environment + " timeout 100 " + simulated + "'" GPU_PROGRAM_DIR "/" + program +
               "' " + arguments);
  }
  void succeed(const std::string& arguments, const std::string& program = "program", int gpus = 1) {
    const CommandResult result = runProgram(arguments, program, gpus);
    EXPECT_EQ(result.status, 0) << result.output;
    EXPECT_EQ(result.output, "");
  }
  std::string branchCounts() { return countsBelow(scratch.path())["_Z6branchPii"]; }
  size_t deviceFiles() {
    const std::vector<std::string> files = scratch.files();
    return static_cast<size_t>(
        std::count_if(files.begin(), files.end(),
                      [](const std::string& name) { return name.rfind("gfx90a.", 0) == 0; }));
  }

  ScratchFolder scratch;
};

TEST_F(Gpu, partiallyFilledWavesCountTheirThreads) {
  succeed("launch 1 37 20");
  EXPECT_EQ(branchCounts(), "37 20 10");
}

TEST_F(Gpu, severalWavesAndBlocksAreCounted) {
  succeed("launch 5 200 777");
  EXPECT_EQ(branchCounts(), "1000 777 388");
}

TEST_F(Gpu, aKernelThatWasNotLaunchedCountsZero) {
  succeed("launch 1 1 1");
  EXPECT_EQ(countsBelow(scratch.path())["_Z4workPii"], "0 0");
}

TEST_F(Gpu, twoGpusAreSummedInOneFile) {
  succeed("two-gpus", "program", 2);
  EXPECT_EQ(branchCounts(), "129 129 64");
  EXPECT_EQ(deviceFiles(), 1u);
}

TEST_F(Gpu, anUninstrumentedHostIsNoObstacle) {
  succeed("launch 1 37 20", "device-only");
  EXPECT_EQ(branchCounts(), "37 20 10");
  EXPECT_EQ(scratch.files().size(), 1u);
}

TEST_F(Gpu, aModuleWhoseBufferWasFreedIsDrained) {
  succeed("module-buffer-freed '" GPU_PROGRAM_DIR "/module.co'");
  EXPECT_EQ(countsBelow(scratch.path())["moduleBranch"], "30 29");
  const std::vector<std::string> files = scratch.files();
  EXPECT_EQ(std::count_if(
                files.begin(), files.end(),
                [](const std::string& name) { return name.rfind("code-objects/gfx90a-", 0) == 0; }),
            1)
      << "its ELF is in no file and is stored for the report";
}

TEST_F(Gpu, aModuleUnloadedBeforeExitKeepsAllItsRuns) {
  succeed("module-unloaded '" GPU_PROGRAM_DIR "/module.co'");
  EXPECT_EQ(countsBelow(scratch.path())["moduleBranch"], "60 57");
}

TEST_F(Gpu, aPluginClosedBeforeExitKeepsItsCounts) {
  succeed("plugin-closed '" GPU_PROGRAM_DIR "/plugin.so'");
  EXPECT_EQ(countsBelow(scratch.path())["_Z12pluginKernelPi"], "100");
}

TEST_F(Gpu, twoLibrariesThatEachBringTheDrainAreDrainedOnce) {
  const CommandResult result = runProgram("", "two-libraries", 1, "DEVICE_COVERAGE_VERBOSE=1");
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_EQ(countsBelow(scratch.path())["_Z11kernelOfOnePi"], "100");
  EXPECT_EQ(countsBelow(scratch.path())["_Z11kernelOfTwoPi"], "50");
  EXPECT_EQ(deviceFiles(), 1u);
  const size_t census = result.output.find("this is the census");
  EXPECT_NE(census, std::string::npos) << result.output;
  EXPECT_EQ(census, result.output.rfind("this is the census")) << result.output;
}

TEST_F(Gpu, aProgramOfRelocatableDeviceCodeIsCounted) {
  succeed("launch 1 37 20", "rdc");
  EXPECT_EQ(branchCounts(), "37 20 10");
}

// The software GPU runs no kernels of gfx908, so its code is only loaded; the fake HSA counts on
// both.
TEST_F(Gpu, twoArchitecturesInOneProcessHaveAFileAndCountsOfTheirOwn) {
  if (std::string(GPU_SIMULATOR).empty())
    GTEST_SKIP() << "needs a gfx90a and a gfx908, which only the software GPU is sure to have";
  const CommandResult result = runOn("gfx90a,gfx908", "loaded-on-second", "two-architectures");
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_EQ(result.output, "");
  EXPECT_EQ(branchCounts(), "64 64 32");
  EXPECT_EQ(countsBelow(scratch.path(), "gfx908.")["_Z6branchPii"], "0 0 0");
}

TEST_F(Gpu, aGpuWithCodeButNoQueueIsNotWokenAtExit) {
  succeed("loaded-on-second", "program", 2);
  EXPECT_EQ(branchCounts(), "64 64 32");
}

TEST_F(Gpu, codeThatHipRtcCompiledWithoutCountersIsLeftAlone) {
  succeed("", "rtc");
  EXPECT_EQ(branchCounts(), "37 20 10");
  EXPECT_EQ(deviceFiles(), 1u);
}

TEST_F(Gpu, launchesAfterAFlushAreAddedAndNotDoubled) {
  succeed("flush-then-more");
  EXPECT_EQ(branchCounts(), "74 69 34");
  EXPECT_EQ(deviceFiles(), 1u);
}

TEST_F(Gpu, aResetGivesAPhaseAProfileOfItsOwn) {
  succeed("phases");
  EXPECT_EQ(countsBelow(scratch.path(), "gfx90a.phase")["_Z6branchPii"], "10 5 2");
  EXPECT_EQ(branchCounts(), "74 69 34") << "both phases together";
}

TEST_F(Gpu, aForkedChildDrainsItsOwnLaunches) {
  succeed("child");
  EXPECT_EQ(branchCounts(), "33 20 10");
  EXPECT_EQ(deviceFiles(), 1u);
}

TEST_F(Gpu, aForkedChildThatFlushesAndUnderscoreExitsLosesNothing) {
  succeed("child-_exit");
  EXPECT_EQ(branchCounts(), "33 20 10");
}

TEST_F(Gpu, aChildThatInheritsHipForgetsItAndTheParentCountsOnce) {
  succeed("child-after-hip");
  EXPECT_EQ(branchCounts(), "33 20 10");
}

TEST_F(Gpu, kernelsStillRunningOnANonBlockingStreamAreWaitedFor) {
  succeed("still-running");
  EXPECT_EQ(countsBelow(scratch.path())["_Z4workPii"], "128 384000");
}

TEST_F(Gpu, aKernelThatDoesNotEndCostsAMessageAndNoCountsOfOthers) {
  const CommandResult result =
      runProgram("never-ending", "program", 1, "DEVICE_COVERAGE_TIMEOUT=1");
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_EQ(result.output.rfind("DeviceCoverage: drain: the GPUs were still busy after 1 s;", 0),
            0u)
      << result.output;
  EXPECT_EQ(branchCounts(), "37 20 10");
}

TEST_F(Gpu, coveredOrNotCountersAreDrainedAndReset) {
  succeed("phases", "covered");
  EXPECT_EQ(countsBelow(scratch.path(), "gfx90a.phase")["_Z6branchPii"].substr(0, 1), "1");
  EXPECT_EQ(countsBelow(scratch.path())["_Z4workPii"].find('1'), std::string::npos);
}

TEST_F(Gpu, bitmapsOfMcDcAreDrained) {
  succeed("launch 1 37 20", "mcdc");
  EXPECT_EQ(branchCounts(), "37 20 10");
  const CommandResult text =
      run("'" LLVM_PROFDATA "' merge --text -o - '" + scratch.path().string() + "/'gfx90a.*");
  EXPECT_NE(text.output.find("# Bitmap Byte Values:\n0x5\n"), std::string::npos)
      << "first false, and both true, but never the second alone false: " << text.output;
}

TEST_F(Gpu, threadsThatFlushAtOnceDoNotDouble) {
  succeed("flush-from-threads");
  EXPECT_EQ(branchCounts(), "64 64 32");
}

TEST_F(Gpu, aDeviceResetLosesNothing) {
  succeed("device-reset");
  EXPECT_EQ(branchCounts(), "64 64 32");
}

TEST_F(Gpu, aStaticDestructorThatLaunchesIsCounted) {
  succeed("static-destructor");
  EXPECT_EQ(branchCounts(), "71 64 32");
}

TEST_F(Gpu, whereHsaLoadsNoToolsTheDrainWorksThroughSymbolsAndSaysSo) {
  const CommandResult result = runProgram("without-tools");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output.rfind("DeviceCoverage: drain: HSA did not load the drain", 0), 0u)
      << result.output;
  EXPECT_EQ(branchCounts(), "37 20 10");
}

TEST_F(Gpu, besideAnotherToolBothAreLoadedAndCountsStayExact) {
  const CommandResult result = runProgram("launch 1 37 20", "program", 1,
                                          "HSA_TOOLS_LIB='" GPU_PROGRAM_DIR "/other-tool.so'");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output, "other tool: loaded\nother tool: executable frozen\n");
  EXPECT_EQ(branchCounts(), "37 20 10");
}

TEST_F(Gpu, codeLoadedThroughHsaAloneIsDrained) {
  succeed("keep '" GPU_PROGRAM_DIR "/module.co'", "raw-hsa");
  EXPECT_EQ(countsBelow(scratch.path())["moduleBranch"], "64 40");
}

TEST_F(Gpu, shuttingHsaDownBeforeExitKeepsTheCounts) {
  succeed("shut-down '" GPU_PROGRAM_DIR "/module.co'", "raw-hsa");
  EXPECT_EQ(countsBelow(scratch.path())["moduleBranch"], "64 40");
}

TEST_F(Gpu, startingHsaAgainAddsToWhatWasCountedBefore) {
  succeed("twice '" GPU_PROGRAM_DIR "/module.co'", "raw-hsa");
  EXPECT_EQ(countsBelow(scratch.path())["moduleBranch"], "128 80");
}

TEST_F(Gpu, anUnwritableFolderCostsOneMessageAndNotTheExitStatus) {
  const CommandResult result =
      runProgram("launch 1 37 20", "device-only", 1, "LLVM_PROFILE_FILE=/proc/none/x.profraw");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output.rfind("DeviceCoverage: drain: the device profile of gfx90a", 0), 0u)
      << result.output;
  EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
}

TEST_F(Gpu, preloadedItDrainsAProgramThatWasNotLinkedWithIt) {
  const CommandResult result =
      runProgram("launch 1 37 20", "not-linked", 1, "LD_PRELOAD='" DRAIN_LIBRARY "'");
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_EQ(branchCounts(), "37 20 10");
}

// Without a simulator in front, on a machine without a GPU.
TEST(NoGpu, aProgramWithoutAGpuIsLeftAlone) {
  const ScratchFolder scratch;
  if (std::filesystem::exists("/dev/kfd"))
    GTEST_SKIP() << "this machine has a GPU";
  const CommandResult result = run("cd '" + scratch.path().string() +
                                   "' && timeout 100 '" GPU_PROGRAM_DIR "/device-only' no-gpu");
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_EQ(result.output, "");
  EXPECT_TRUE(scratch.files().empty());
}

} // namespace
