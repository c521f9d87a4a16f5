// The drain under the real HSA and HIP, on the GPU of the tests: exact counts through every hazard.
#include "test_files.h"

#include <algorithm>
#include <csignal>
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

// ROCr 7.2 remarks on signals of its own, with and without the drain.
std::string withoutRemarks(const std::string& output) {
  std::istringstream lines(output);
  std::string rest;
  for (std::string line; std::getline(lines, line);)
    if (line.rfind("Warning: Resource leak detected by SharedSignalPool", 0) != 0)
      rest += line + '\n';
  return rest;
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
    CommandResult result =
        run("cd '" + scratch.path().string() + "' && LLVM_PROFILE_FILE=%p.profraw " + environment +
            " timeout 100 " + simulated + "'" GPU_PROGRAM_DIR "/" + program + "' " + arguments);
    result.output = withoutRemarks(result.output);
    return result;
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

TEST_F(Gpu, twoArchitecturesInOneProcessHaveAFileAndCountsOfTheirOwn) {
  if (std::string(GPU_SIMULATOR).empty())
    GTEST_SKIP() << "needs a gfx90a and a gfx908, which only the software GPU is sure to have";
  const CommandResult result = runOn("gfx90a,gfx908", "two-gpus", "two-architectures");
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_EQ(result.output, "");
  EXPECT_EQ(branchCounts(), "64 64 32");
  EXPECT_EQ(countsBelow(scratch.path(), "gfx908.")["_Z6branchPii"], "65 65 32");
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

// Its buffer is gone at exit, and no file holds it: it is counted, stored, and tied to its counts.
TEST_F(Gpu, codeThatHipRtcInstrumentedIsCountedStoredAndTied) {
  if (HIP_MAJOR < 6)
    GTEST_SKIP() << "the compiler in this hipRTC is of another LLVM than the drain's";
  // With its cache, hipRTC compiles a preprocessed copy of the source.
  const CommandResult result = runProgram("'" RUNTIME_HEADERS "'", "rtc", 1, "AMD_COMGR_CACHE=0");
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_EQ(branchCounts(), "37 20 10");
  EXPECT_EQ(countsBelow(scratch.path())["compiledAtRunTime"], "64 40");
  std::filesystem::path stored;
  for (const auto& entry : std::filesystem::directory_iterator(scratch.path() / "code-objects"))
    stored = entry.path();
  const std::string merged = "'" + (scratch.path() / "merged").string() + "'";
  const CommandResult ids =
      run("'" LLVM_PROFDATA "' merge -o " + merged + " '" + scratch.path().string() +
          "/'gfx90a.* && '" LLVM_PROFDATA "' show --binary-ids " + merged);
  EXPECT_NE(ids.output.find(stored.stem().string().substr(sizeof "gfx90a-" - 1)), std::string::npos)
      << stored << ids.output;
  const CommandResult report =
      run("'" LLVM_COV "' report -instr-profile " + merged + " '" + stored.string() + "'");
  EXPECT_EQ(report.status, 0);
  EXPECT_NE(report.output.find("source.hip"), std::string::npos) << report.output;
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

TEST_F(Gpu, aMemoryFaultOfTheProgramEndsItAndLeavesWhatWasFlushed) {
  const CommandResult result =
      runProgram("memory-fault", "program", 1, "DEVICE_COVERAGE_TIMEOUT=1");
  const bool aborted = result.status == 128 + SIGABRT;
  EXPECT_TRUE(aborted || result.status == 0) << result.status << ": " << result.output;
  EXPECT_EQ(result.output.find("the GPUs did not let their counters be copied within 1 s") ==
                std::string::npos,
            aborted)
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

// Without HIP, and so for code of compilers that HIP's headers are too old for.
class GpuModule : public Gpu {
protected:
  void runModule(const std::string& mode, const std::string& module = "module.co") {
    succeed(mode + " '" GPU_PROGRAM_DIR "/" + module + "'", "raw-hsa");
  }
  // A static function's name has that of its file in front.
  std::string counts(const std::string& function) {
    for (const auto& [name, counts] : countsBelow(scratch.path()))
      if (name.size() >= function.size() &&
          name.compare(name.size() - function.size(), function.size(), function) == 0)
        return counts;
    return "none";
  }
};

TEST_F(GpuModule, codeLoadedThroughHsaAloneIsDrained) {
  runModule("keep");
  EXPECT_EQ(counts("moduleBranch"), "630 600");
}

TEST_F(GpuModule, shuttingHsaDownBeforeExitKeepsTheCounts) {
  runModule("shut-down");
  EXPECT_EQ(counts("moduleBranch"), "630 600");
}

TEST_F(GpuModule, startingHsaAgainAddsToWhatWasCountedBefore) {
  runModule("twice");
  EXPECT_EQ(counts("moduleBranch"), "1260 1200");
}

TEST_F(GpuModule, severalUnitsOfRelocatableCodeAreCountedOnceEach) {
  runModule("keep", "module-units.co");
  EXPECT_EQ(counts("moduleBranch"), "630 600");
  EXPECT_EQ(counts("units_first.hip:_ZL5locali"), "600 10");
  EXPECT_EQ(counts("units_second.hip:_ZL5locali"), "600 300");
  EXPECT_EQ(counts("_Z7limitedIiET_S0_S0_"), "1200 1148") << "instantiated in both";
  EXPECT_EQ(counts("_Z12inSecondUniti"), "600");
  EXPECT_EQ(countsBelow(scratch.path()).size(), 5u);
}

TEST_F(GpuModule, blocksThatTheCompilerWouldSkipAreCounted) {
  if (!std::filesystem::exists(GPU_PROGRAM_DIR "/module-sampled.co"))
    GTEST_SKIP() << "this compiler counts in every block";
  runModule("keep", "module-sampled.co");
  EXPECT_EQ(counts("moduleBranch"), "630 600");
}

// 600 of 630 threads take the branch of moduleBranch, in nine full waves and a part of one; 10 of
// 600 the branch of the first unit's function, never a full wave.
TEST_F(GpuModule, uniformCountersTellFullWavesFromParts) {
  if (!std::filesystem::exists(GPU_PROGRAM_DIR "/module-sampled.co"))
    GTEST_SKIP() << "this compiler has no uniform counters";
  runModule("keep", "module-units.co");
  const std::string shown =
      run("'" LLVM_PROFDATA "' merge -o '" + (scratch.path() / "merged").string() + "' '" +
          scratch.path().string() +
          "/'gfx90a.* && '" LLVM_PROFDATA "' show --all-functions --counts '" +
          (scratch.path() / "merged").string() + "'")
          .output;
  const auto uniformity = [&](const std::string& function) {
    const std::string key = "Block uniformity: [";
    const size_t at = shown.find(key, shown.find(function));
    return at == std::string::npos ? "none in " + shown : shown.substr(at + key.size(), 1);
  };
  EXPECT_EQ(uniformity("moduleBranch"), "U");
  EXPECT_EQ(uniformity("units_first.hip:_ZL5locali"), "D");
}

// What happens from start to end, with the drain's writing among it; docs/exit-order.md explains
// it.
class GpuExit : public Gpu, public testing::WithParamInterface<const char*> {
protected:
  std::string events() {
    const CommandResult result = runProgram(
        "", std::string("exit-order-") + GetParam(), 1,
        "DEVICE_COVERAGE_VERBOSE=1 HSA_TOOLS_LIB='" GPU_PROGRAM_DIR "/libexit-observer.so'");
    EXPECT_EQ(result.status, 0) << result.output;
    std::istringstream lines(result.output);
    std::string events;
    for (std::string line; std::getline(lines, line);) {
      if (line.rfind("DeviceCoverage: drain: wrote ", 0) == 0)
        events += "the drain writes\n";
      else if (line.rfind("DeviceCoverage: ", 0) != 0)
        events += line + '\n';
    }
    return events;
  }
};

TEST_P(GpuExit, theDrainWritesBeforeHipLetsGoOfTheCode) {
  const std::string expected = "HIP registers a fat binary\n"
                               "main starts\n"
                               "HSA loads its tools\n"
                               "main returns\n"
                               "handler registered after HIP was used\n"
                               "the drain writes\n"
                               "handler registered before HIP was used\n"
                               "HIP unregisters a fat binary\n"
                               "HSA destroys an executable\n"
                               "destructor of a library\n"
                               "handler registered by a library's constructor\n";
  const std::string seen = events();
  EXPECT_EQ(seen.substr(0, expected.size()), expected);
  // Newer runtimes tear down more, and unload their tools, after that.
  EXPECT_EQ(seen.find("the drain writes", expected.size()), std::string::npos) << seen;
  EXPECT_EQ(countsBelow(scratch.path())["_Z4oncei"], "64 64");
}

INSTANTIATE_TEST_SUITE_P(Forms, GpuExit,
                         testing::Values("old-driver", "old-driver-rdc", "new-driver",
                                         "new-driver-rdc"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

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
