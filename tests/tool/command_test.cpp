// The commands as their users meet them: streams, statuses, bad input.
#include <gtest/gtest.h>

#include <fstream>
#include <system_error>

#include <nlohmann/json.hpp>

#include "progress_display.h"
#include "support/bundle_builder.h"
#include "support/program.h"

using namespace test_support;

TEST(CommandTest, UnknownCommandsAndOptionsAreUsageErrors) {
  EXPECT_EQ(runProgram({}).status, 2);
  EXPECT_EQ(runProgram({"fly"}).status, 2);
  EXPECT_EQ(runProgram({"inspect"}).status, 2);
  EXPECT_EQ(runProgram({"report", "--sideways"}).status, 2);
  EXPECT_EQ(runProgram({"report"}).status, 2);
  EXPECT_EQ(runProgram({"report", "--object", fixture("program").string()}).status, 2);
  EXPECT_EQ(runProgram({"inspect", "--gpu", "sm_90", fixture("program").string()}).status, 2);
}

TEST(CommandTest, UsageErrorsAreOneLineThatNamesTheFault) {
  for (const auto& [arguments, fault] :
       {std::pair{std::vector<std::string>{"report", "--sideways"}, "--sideways"},
        std::pair{std::vector<std::string>{"inspect"}, "file is required"},
        std::pair{std::vector<std::string>{"show-env", "--format", "cmd"}, "cmd"},
        std::pair{std::vector<std::string>{}, "subcommand is required"}}) {
    const auto result = runProgram(arguments);
    EXPECT_TRUE(result.errorOutput.starts_with("DeviceCoverage: command line: "))
        << result.errorOutput;
    EXPECT_NE(result.errorOutput.find(fault), std::string::npos) << result.errorOutput;
    EXPECT_EQ(countLines(result.errorOutput), 1U) << result.errorOutput;
    EXPECT_EQ(result.output, "");
  }
}

TEST(CommandTest, HelpAndVersionGoToStdout) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--help"},
                                                    {"report", "--help"},
                                                    {"clean", "--help"},
                                                    {"inspect", "--help"},
                                                    {"extract", "--help"},
                                                    {"--version"}}) {
    const auto result = runProgram(arguments);
    EXPECT_EQ(result.status, 0);
    EXPECT_FALSE(result.output.empty());
    EXPECT_EQ(result.errorOutput, "");
  }
}

TEST(CommandTest, InspectShowsEveryEntryOfPlainAndCompressedFatBinaries) {
  for (const char* name : {"program", "program-compressed"}) {
    const auto result = runProgram({"inspect", "--json", fixture(name).string()});
    ASSERT_EQ(result.status, 0) << result.errorOutput;
    const auto entries = nlohmann::json::parse(result.output).at("files").at(0).at("entries");
    std::vector<std::string> targets;
    for (const auto& entry : entries)
      if (entry.at("code_object").get<bool>()) {
        targets.push_back(entry.at("target"));
        EXPECT_TRUE(entry.at("instrumented").get<bool>());
        EXPECT_EQ(entry.at("coverage_functions"), 5);
        EXPECT_EQ(entry.at("kernels"), nlohmann::json({"kernel"}));
      }
    EXPECT_EQ(targets, (std::vector<std::string>{"gfx908", "gfx90a"})) << name;
  }
}

TEST(CommandTest, InspectMarksTheEntryThatTheGpuWouldLoad) {
  const TemporaryFolder folder;
  const auto file = folder.write(
      "fat.hipfb",
      plainBundle({{"hipv4-amdgcn-amd-amdhsa--gfx90a", tinyCodeObject(0x53f)},
                   {"hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+", tinyCodeObject(0x73f)},
                   {"hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-", tinyCodeObject(0x63f)}}));
  const auto loaded = [&](const char* gpu) {
    const auto result = runProgram({"inspect", "--json", "--gpu", gpu, file.string()});
    std::vector<bool> marks;
    const auto files = nlohmann::json::parse(result.output);
    for (const auto& entry : files.at("files").at(0).at("entries"))
      marks.push_back(entry.at("loaded"));
    return marks;
  };
  EXPECT_EQ(loaded("gfx90a:sramecc+:xnack-"), (std::vector<bool>{false, false, true}));
  EXPECT_EQ(loaded("gfx90a:sramecc+:xnack+"), (std::vector<bool>{false, true, false}));
  EXPECT_EQ(loaded("gfx908:sramecc+:xnack-"), (std::vector<bool>{false, false, false}));
}

TEST(CommandTest, InspectReadsLlvmOffloadBinaries) {
  const TemporaryFolder folder;
  const auto image = folder.write("image", tinyCodeObject(0x53f, "x"));
  const auto packed = folder.path() / "packed";
  const auto made = device_coverage::runChild(
      {llvmTool("llvm-offload-binary"), "-o", packed.string(),
       "--image=file=" + image.string() + ",triple=amdgcn-amd-amdhsa,arch=gfx90a,kind=hip"});
  ASSERT_EQ(made.status, 0) << made.errorOutput;
  const auto result = runProgram({"inspect", "--json", packed.string()});
  ASSERT_EQ(result.status, 0) << result.errorOutput;
  const auto entry = nlohmann::json::parse(result.output).at("files").at(0).at("entries").at(0);
  EXPECT_EQ(entry.at("id"), "hip-amdgcn-amd-amdhsa--gfx90a");
  EXPECT_EQ(entry.at("wrapping"), "offload binary");
  EXPECT_TRUE(entry.at("code_object").get<bool>());
  EXPECT_EQ(entry.at("size"), tinyCodeObject(0x53f, "x").size());

  const std::string whole = readText(packed);
  for (size_t length = 1; length < whole.size(); length += 7) {
    const auto cut = folder.write("cut", whole.substr(0, length));
    EXPECT_EQ(runProgram({"inspect", cut.string()}).status, 3) << length;
  }
}

TEST(CommandTest, ExtractReadsWhatTheBundlerWrote) {
  const TemporaryFolder folder;
  const std::string first = tinyCodeObject(0x53f, "one");
  const std::string second = tinyCodeObject(0x530, "two");
  const auto one = folder.write("one", first);
  const auto two = folder.write("two", second);
  for (const char* option : {"-compress", "-verbose"}) {
    const auto bundle = folder.path() / "bundle";
    const auto made = device_coverage::runChild(
        {llvmTool("clang-offload-bundler"), "-type=o", "-bundle-align=4096", option,
         "-targets=host-x86_64-unknown-linux-gnu,hipv4-amdgcn-amd-amdhsa--gfx90a,hipv4-amdgcn-amd-"
         "amdhsa--gfx908",
         "-input=/dev/null", "-input=" + one.string(), "-input=" + two.string(),
         "-output=" + bundle.string()});
    ASSERT_EQ(made.status, 0) << made.errorOutput;
    const auto out = folder.path() / (std::string("out") + option);
    const auto result = runProgram({"extract", bundle.string(), "-o", out.string()});
    ASSERT_EQ(result.status, 0) << result.errorOutput;
    ASSERT_EQ(namesIn(out).size(), 2U);
    EXPECT_EQ(countLines(result.output), 2U);
    const auto listed = runProgram({"extract", "--json", bundle.string(), "-o", out.string()});
    const auto paths = nlohmann::json::parse(listed.output).at("code_objects");
    EXPECT_EQ(paths.size(), 2U);
    EXPECT_TRUE(std::filesystem::exists(paths.at(0).get<std::string>()));
    const auto selected = runProgram(
        {"extract", bundle.string(), "--target", "gfx908", "-o", (out / "selected").string()});
    const std::string path = selected.output.substr(0, selected.output.find('\n'));
    EXPECT_EQ(readText(path), second);
  }
}

TEST(CommandTest, ExtractWithoutSuchATargetSaysWhichThereAre) {
  const TemporaryFolder folder;
  const auto out = folder.path() / "out";
  const auto result = runProgram(
      {"extract", fixture("program").string(), "--target", "gfx942", "-o", out.string()});
  EXPECT_EQ(result.status, 3);
  EXPECT_NE(result.errorOutput.find("gfx908, gfx90a"), std::string::npos) << result.errorOutput;
  EXPECT_FALSE(std::filesystem::exists(out));
}

namespace {

nlohmann::json manifestIn(const TemporaryFolder& folder) {
  return {{"format", "device-coverage-manifest"},
          {"version", 1},
          {"report", "coverage"},
          {"source_directory", folder.path()},
          {"build_directory", folder.path()},
          {"profile_directory", folder.path() / "profiles"},
          {"output_directory", folder.path() / "report"},
          {"tools",
           {{"llvm_profdata", llvmTool("llvm-profdata")},
            {"llvm_cov", llvmTool("llvm-cov")},
            {"llvm_version", ""}}},
          {"device_coverage", {{"enabled", false}, {"blocker", "not asked for"}}},
          {"objects", {{{"path", fixture("program")}, {"kind", "host"}}}},
          {"ignore", nlohmann::json::array()}};
}

} // namespace

TEST(CommandTest, ToolsOfAnotherVersionThanTheBuildFoundAreRemarkedOn) {
  const TemporaryFolder folder;
  auto json = manifestIn(folder);
  json["tools"]["llvm_version"] = "1.2.3";
  const auto manifest = folder.write("device-coverage.json", json.dump());
  const auto profile = folder.path() / "profiles" / "host.profraw";
  device_coverage::runChild(
      {"env", "LLVM_PROFILE_FILE=" + profile.string(), fixture("program").string()});
  const auto result = runProgram({"report", "--manifest", manifest.string()});
  EXPECT_EQ(result.status, 0) << result.errorOutput;
  EXPECT_NE(result.output.find("the build found LLVM 1.2.3"), std::string::npos) << result.output;
}

TEST(CommandTest, ReportAndCleanByManifest) {
  const TemporaryFolder folder;
  const auto manifest = folder.write("device-coverage.json", manifestIn(folder).dump());
  std::filesystem::create_directories(folder.path() / "profiles" / "rank 0");
  const auto profile = folder.path() / "profiles" / "rank 0" / "host.profraw";
  device_coverage::runChild(
      {"env", "LLVM_PROFILE_FILE=" + profile.string(), fixture("program").string()});
  folder.write("profiles/log.txt", "kept");
  folder.write("report/mine.txt", "kept");

  const auto result = runProgram({"report", "--manifest", manifest.string()});
  ASSERT_EQ(result.status, 0) << result.errorOutput;
  EXPECT_EQ(result.output, readText(folder.path() / "report" / "summary.txt"))
      << "the table is printed as it is kept";
  EXPECT_NE(result.output.find("not asked for"), std::string::npos);

  const auto cleaned = runProgram({"clean", "--quiet", "--manifest", manifest.string()});
  EXPECT_EQ(cleaned.status, 0);
  EXPECT_EQ(cleaned.errorOutput, "");
  EXPECT_FALSE(std::filesystem::exists(profile));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "profiles" / "log.txt"));
  EXPECT_EQ(namesIn(folder.path() / "report"), std::vector<std::string>{"mine.txt"});
  EXPECT_EQ(runProgram({"clean", "--manifest", manifest.string()}).status, 0) << "again";
}

TEST(RunCommandTest, KeepsTheStatusAndSaysWhatWasWritten) {
  const TemporaryFolder folder;
  const std::string profiles = (folder.path() / "deep" / "profiles").string();
  const auto result =
      runProgram({"run", "--profiles", profiles, "--", fixture("program").string()});
  EXPECT_EQ(result.status, 0) << result.errorOutput;
  EXPECT_NE(result.errorOutput.find("side host: 1 profile written to " + profiles),
            std::string::npos)
      << result.errorOutput;
  EXPECT_EQ(runProgram({"run", "--profiles", profiles, "--", "sh", "-c", "exit 7"}).status, 7);
  EXPECT_EQ(runProgram({"run", "--profiles", profiles, "--", "sh", "-c", "kill -9 $$"}).status,
            128 + 9);
}

TEST(RunCommandTest, NoProfileIsSaidAndTheStatusKept) {
  const TemporaryFolder folder;
  const auto result = runProgram(
      {"run", "--profiles", (folder.path() / "p").string(), "--", fixture("plain").string()});
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(result.errorOutput.find("no profile was written"), std::string::npos);
}

TEST(RunCommandTest, ProgramDrainAndSimulatorThatAreMissingAreNamed) {
  const TemporaryFolder folder;
  const std::string absent = (folder.path() / "absent").string();
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"run", "--", absent}, {"run", "--drain", absent, "--", "true"}}) {
    const auto result = runProgram(arguments);
    EXPECT_EQ(result.status, 3);
    EXPECT_NE(result.errorOutput.find(absent), std::string::npos) << result.errorOutput;
  }
}

TEST(ShowEnvCommandTest, ShellReadsBackWhatWasPrinted) {
  const TemporaryFolder folder;
  const std::string profiles = (folder.path() / "it's a folder").string();
  const auto printed = runProgram({"show-env", "--profiles", profiles, "--name", "%p.profraw"});
  ASSERT_EQ(printed.status, 0);
  const auto read =
      device_coverage::runChild({"sh", "-c", printed.output + "printf %s \"$LLVM_PROFILE_FILE\""});
  EXPECT_EQ(read.output, profiles + "/%p.profraw");
}

TEST(MergeCommandTest, OneIndexedProfilePerSideAndDamageIsCounted) {
  const TemporaryFolder folder;
  const auto profile = folder.path() / "in" / "host.profraw";
  device_coverage::runChild(
      {"env", "LLVM_PROFILE_FILE=" + profile.string(), fixture("program").string()});
  std::filesystem::copy(profile, folder.path() / "in" / "gfx90a.x.profraw");
  const std::string out = (folder.path() / "out").string();
  const auto merge = [&](const std::string& mode) {
    return runProgram({"merge", (folder.path() / "in").string(), "-o", out, "--failure-mode", mode,
                       "--llvm-profdata", llvmTool("llvm-profdata")});
  };
  const auto good = merge("any");
  EXPECT_EQ(good.status, 0) << good.errorOutput;
  EXPECT_EQ(good.output, out + "/host.profdata\n" + out + "/gfx90a.profdata\n");
  folder.write("in/gfx90a.empty.profraw", "");
  const auto damaged = merge("any");
  EXPECT_EQ(damaged.status, 3);
  EXPECT_NE(damaged.errorOutput.find("gfx90a.empty.profraw"), std::string::npos);
  EXPECT_NE(damaged.errorOutput.find("1 profiles left out"), std::string::npos);
  EXPECT_EQ(merge("all").status, 0);
  const auto json =
      nlohmann::json::parse(runProgram({"merge", "--json", (folder.path() / "in").string(), "-o",
                                        out, "--llvm-profdata", llvmTool("llvm-profdata")})
                                .output);
  EXPECT_EQ(json.at("sides").at("gfx90a").at("merged"), 1);
  EXPECT_EQ(json.at("sides").at("gfx90a").at("profile"), out + "/gfx90a.profdata");
  ASSERT_EQ(json.at("problems").size(), 1U);
  folder.write("in/gfx908.text.profraw", "no profile");
  EXPECT_EQ(merge("all").status, 3) << "nothing is left of side gfx908";
  EXPECT_EQ(namesIn(out).size(), 2U);
}

namespace {

/// 600 links to one host profile, more than are merged in one go.
std::filesystem::path manyProfiles(const TemporaryFolder& folder) {
  const auto profile = folder.path() / "host.profraw";
  device_coverage::runChild(
      {"env", "LLVM_PROFILE_FILE=" + profile.string(), fixture("program").string()});
  const auto place = folder.path() / "many";
  std::filesystem::create_directories(place);
  for (int rank = 0; rank < 600; ++rank)
    std::filesystem::create_hard_link(profile, place / (std::to_string(rank) + ".profraw"));
  return place;
}

uint64_t countOfMain(const std::filesystem::path& indexed) {
  const auto result = device_coverage::runChild(
      {llvmTool("llvm-profdata"), "show", "--function=main", indexed.string()});
  const std::string key = "Function count: ";
  const size_t at = result.output.find(key);
  return at == std::string::npos ? 0 : std::stoull(result.output.substr(at + key.size()));
}

} // namespace

TEST(MergeCommandTest, BatchesAddUpAndPlainLinesSayHowFarItIs) {
  const TemporaryFolder folder;
  const auto place = manyProfiles(folder);
  folder.write("many/damaged.profraw", readText(folder.path() / "host.profraw").substr(0, 200));
  const auto out = folder.path() / "out";
  const auto merge = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"merge",      place.string(),    "-o",
                                       out.string(), "--llvm-profdata", llvmTool("llvm-profdata")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return runProgram(arguments);
  };
  const auto result = merge({"--failure-mode", "all"});
  EXPECT_EQ(result.status, 0) << result.errorOutput;
  EXPECT_EQ(countOfMain(out / "host.profdata"), 600U);
  EXPECT_EQ(namesIn(out), std::vector<std::string>{"host.profdata"});
  EXPECT_NE(result.errorOutput.find("host: 512 of 601 profiles read\n"), std::string::npos)
      << result.errorOutput;
  EXPECT_NE(result.errorOutput.find("host: 600 of 601 profiles,"), std::string::npos);
  EXPECT_EQ(result.errorOutput.find('\r'), std::string::npos);
  EXPECT_EQ(countLines(merge({"--quiet"}).errorOutput), 1U) << "the damaged profile alone";
}

TEST(MergeCommandTest, TerminalsGetABarThatIsErased) {
  const TemporaryFolder folder;
  const auto place = manyProfiles(folder);
  try {
    const auto result = device_coverage::runChild(
        {"script", "--quiet", "--return", "--command",
         std::string(DEVICE_COVERAGE_PROGRAM) + " merge '" + place.string() + "' -o '" +
             (folder.path() / "out").string() + "' --llvm-profdata " + llvmTool("llvm-profdata"),
         "/dev/null"});
    EXPECT_EQ(result.status, 0) << result.output;
    EXPECT_NE(result.output.find("host " + device_coverage::progressBar(512, 600, 40)),
              std::string::npos)
        << result.output;
    EXPECT_EQ(result.output.find("profiles read"), std::string::npos);
  } catch (const std::system_error&) {
    GTEST_SKIP() << "script (of util-linux) is not installed";
  }
}

TEST(ProgressBarTest, IsFullOnlyAtTheEnd) {
  EXPECT_EQ(device_coverage::progressBar(0, 4, 4), "|....| 0/4");
  EXPECT_EQ(device_coverage::progressBar(999, 1000, 4), "|###.| 999/1000");
  EXPECT_EQ(device_coverage::progressBar(4, 4, 4), "|####| 4/4");
}
