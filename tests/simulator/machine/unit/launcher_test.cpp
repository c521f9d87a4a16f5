// The launcher as people meet it: arguments, messages, exit status.

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "command.h"

namespace {

Outcome run(const std::string& arguments, const std::string& prefix = "") {
  return runCommand(prefix + " '" LAUNCHER "' " + arguments);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST(Launcher, KeepsTheProgramsExitStatusAndArguments) {
  EXPECT_EQ(42, run("sh -c 'exit 42'").status);
  EXPECT_EQ("--gpus -h\n", run("--seed 3 echo --gpus -h").output);
  EXPECT_EQ("--stats\n", run("-- echo --stats").output);
}

TEST(Launcher, HelpTeachesAllOptions) {
  const Outcome help = run("--help");
  EXPECT_EQ(0, help.status);
  for (const char* word : {"--gpus", "--seed", "--stats", "--trace", "--resident-waves", "--waits",
                           "--list-instructions", "instructions:NAME", "gfx90a"})
    EXPECT_TRUE(contains(help.output, word)) << word;
}

TEST(Launcher, WrongArgumentsGetOneMessageAndStatusTwo) {
  for (const char* arguments :
       {"", "--gpus gfx90a", "--gpus gfx1 true", "--bogus true", "--seed x true",
        "--resident-waves 0 true", "--trace everything true", "--trace instructions: true",
        "--list-instructions gfx1"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(2, outcome.status) << arguments << outcome.output;
    EXPECT_TRUE(contains(outcome.output, "amdgpu-simulator: ")) << outcome.output;
    EXPECT_EQ(1, std::count(outcome.output.begin(), outcome.output.end(), '\n')) << outcome.output;
  }
  EXPECT_TRUE(contains(run("--gpus gfx1 true").output, "`gfx1` is not modelled"));
}

TEST(Launcher, AMissingProgramIsStatus127AndAnUnrunnableOne126) {
  const Outcome missing = run("no-such-program-anywhere");
  EXPECT_EQ(127, missing.status);
  EXPECT_TRUE(contains(missing.output, "`no-such-program-anywhere`"));
  EXPECT_EQ(126, run("/").status);
}

TEST(Launcher, AppendsToAnExistingPreload) {
  const Outcome outcome = run("printenv LD_PRELOAD", "LD_PRELOAD=libm.so.6");
  EXPECT_EQ(0u, outcome.output.find("libm.so.6:")) << outcome.output;
  EXPECT_TRUE(contains(outcome.output, "libamdgpu-simulator.so"));
}

TEST(Launcher, SettingsReachTheProgramsChildren) {
  EXPECT_EQ("gfx908:2\n7\n", run("--gpus gfx908:2 --seed 7 sh -c 'printenv AMDGPU_SIMULATOR_GPUS "
                                 "AMDGPU_SIMULATOR_SEED'")
                                 .output);
}

TEST(Launcher, RocminfoAndAgentEnumeratorSeeTheGpus) {
  const Outcome information = run("--gpus gfx90a,gfx906 rocminfo");
  EXPECT_EQ(0, information.status);
  EXPECT_TRUE(contains(information.output, "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"));
  EXPECT_TRUE(contains(information.output, "amdgcn-amd-amdhsa--gfx906:sramecc-:xnack-"));
  EXPECT_EQ("gfx000\ngfx90a\ngfx908\ngfx908\n",
            run("--gpus gfx90a,gfx908:2 rocm_agent_enumerator").output);
}

TEST(Library, AWrongSettingLeavesNoGpuAndSaysSo) {
  const Outcome outcome = run("env AMDGPU_SIMULATOR_GPUS=gfx7 sh -c 'test -e /dev/kfd; echo $?'");
  EXPECT_TRUE(contains(outcome.output, "AMDGPU_SIMULATOR_GPUS: architecture `gfx7`"))
      << outcome.output;
  EXPECT_TRUE(contains(outcome.output, "\n1\n")) << outcome.output;
}

TEST(Library, ShowsNothingButTheFunctionsItStandsInFrontOf) {
  FILE* pipe = popen("nm -D --defined-only '" LIBRARY "' | wc -l", "r");
  int symbols = 0;
  ASSERT_EQ(1, fscanf(pipe, "%d", &symbols));
  pclose(pipe);
  EXPECT_GT(symbols, 20);
  EXPECT_LT(symbols, 60) << "a C++ library or LLVM symbol leaked";
}
