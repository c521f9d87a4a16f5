#include "doctor.h"

#include <cstring>
#include <fstream>

#include <elf.h>

#include "support/report_fixture.h"

using namespace test_support;
using device_coverage::ChainLink;
using device_coverage::examine;

class DoctorTest : public ReportFixture {
protected:
  std::filesystem::path writeManifest(const std::string& object, bool enabled = true,
                                      const std::filesystem::path& codeObject = {}) {
    nlohmann::json objects = {{{"path", fixture(object)}, {"kind", "host"}}};
    if (!codeObject.empty())
      objects.push_back({{"path", codeObject}, {"kind", "code_object"}});
    const nlohmann::json manifest = {
        {"format", "device-coverage-manifest"},
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
        {"device_coverage",
         {{"enabled", enabled}, {"blocker", enabled ? "" : "the compiler is GCC"}}},
        {"objects", objects},
        {"ignore", nlohmann::json::array()}};
    folder().write("device-coverage.json", manifest.dump());
    return folder().path();
  }

  /// An instrumented code object that has `size` bytes of debug information, which occupy no disk.
  std::filesystem::path withDebugInformation(uint64_t size) {
    const auto small = deviceImage("gfx90a", "program-with-runtime");
    std::ifstream input(small, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(input), {}};
    Elf64_Ehdr header;
    std::memcpy(&header, bytes.data(), sizeof header);
    std::vector<Elf64_Shdr> sections(header.e_shnum + 1u);
    std::memcpy(sections.data(), bytes.data() + header.e_shoff,
                header.e_shnum * sizeof(Elf64_Shdr));

    Elf64_Shdr& names = sections.at(header.e_shstrndx);
    std::string text = bytes.substr(names.sh_offset, names.sh_size);
    Elf64_Shdr& debug = sections.back();
    debug.sh_type = SHT_PROGBITS;
    debug.sh_name = static_cast<Elf64_Word>(text.size());
    text += std::string(".debug_info") + '\0';
    names.sh_offset = bytes.size();
    names.sh_size = text.size();
    bytes += text;
    header.e_shoff = bytes.size();
    header.e_shnum = static_cast<Elf64_Half>(sections.size());
    debug.sh_offset = bytes.size() + sections.size() * sizeof(Elf64_Shdr);
    debug.sh_size = size;
    bytes.append(reinterpret_cast<const char*>(sections.data()),
                 sections.size() * sizeof(Elf64_Shdr));
    std::memcpy(bytes.data(), &header, sizeof header);
    folder().write("large.hsaco", bytes);
    std::filesystem::resize_file(folder().path() / "large.hsaco", debug.sh_offset + size);
    return folder().path() / "large.hsaco";
  }

  /// The link that the chain breaks at, or `whole`.
  std::string brokenLink(const std::filesystem::path& path,
                         const std::filesystem::path& kfd = "/dev/null") {
    const auto links = examine(path, kfd);
    for (size_t i = 0; i + 1 < links.size(); ++i)
      EXPECT_TRUE(links[i].holds()) << "only the last link may be broken";
    return links.back().holds() ? "whole" : links.back().name;
  }
};

TEST_F(DoctorTest, BlockerIsNamed) {
  EXPECT_EQ(brokenLink(writeManifest("program", false)), "device coverage");
}

TEST_F(DoctorTest, ObjectsWithoutDeviceCodeOrCoverageMap) {
  EXPECT_EQ(brokenLink(writeManifest("plain")), "device code");
  EXPECT_EQ(brokenLink(writeManifest("host-instrumented")), "coverage map");
  EXPECT_EQ(brokenLink(fixture("plain")), "device code");
}

TEST_F(DoctorTest, MissingDeviceRuntimeIsFoundInTheImage) {
  // The fixtures' kernels are linked without one.
  EXPECT_EQ(brokenLink(fixture("program")), "device runtime");
}

TEST_F(DoctorTest, ImageWithTheRuntimeAndNoDrain) {
  EXPECT_EQ(brokenLink(writeManifest("program-with-runtime")), "drain");
}

TEST_F(DoctorTest, LinkedDrainAndNoGpuOrNoProfile) {
  const auto manifest = writeManifest("program-with-drain");
  EXPECT_EQ(brokenLink(manifest, folder().path() / "no-kfd"), "GPU");
  EXPECT_EQ(brokenLink(manifest), "profiles");
}

TEST_F(DoctorTest, DebugInformationThatMakesDeviceCodeTooLargeToLoad) {
  constexpr uint64_t kGibibyte = uint64_t{1} << 30;
  const auto large = writeManifest("program-with-drain", true, withDebugInformation(2 * kGibibyte));
  const auto links = examine(large, "/dev/null");
  EXPECT_EQ(links.back().name, "size of device code");
  EXPECT_NE(links.back().fact.find("large.hsaco holds 2048 MiB of device code, 2048 of them debug"),
            std::string::npos)
      << links.back().fact;
  EXPECT_NE(links.back().remedy.find("DEVICE_COVERAGE_DEBUG_INFO=LINE_TABLES"), std::string::npos);
  const auto less = writeManifest("program-with-drain", true, withDebugInformation(kGibibyte));
  EXPECT_EQ(brokenLink(less), "profiles");
}

TEST_F(DoctorTest, WholeChainAndStaleProfiles) {
  runHost("program-with-runtime");
  std::filesystem::create_directories(profiles());
  const auto image = deviceImage("gfx90a", "program-with-runtime");
  writeRawProfile(image, {{"kernel", {64}}}, profiles() / "gfx90a.test.profraw");
  const auto manifest = writeManifest("program-with-runtime");
  EXPECT_EQ(brokenLink(manifest), "whole");
  std::filesystem::remove(profiles() / "host.profraw");
  EXPECT_EQ(brokenLink(manifest), "report");
}

TEST_F(DoctorTest, ReportFolder) {
  runHost("program");
  writeDevice("gfx90a", {{"kernel", {64}}});
  ASSERT_EQ(reportProgram().status, 0);
  EXPECT_EQ(brokenLink(output()), "whole") << "a target that never ran is no fault to the report";
  EXPECT_EQ(examine(output(), "/dev/null").back().fact.rfind("gfx908 is not measured: built", 0),
            0U);
}

TEST_F(DoctorTest, ReportFolderOfABuildWithoutDeviceCoverage) {
  runHost("program");
  const auto build = writeManifest("host-instrumented", false);
  ASSERT_EQ(runProgram({"report", "--manifest", (build / "device-coverage.json").string()}).status,
            0);
  EXPECT_EQ(brokenLink(output()), "sides");
}

TEST_F(DoctorTest, CommandTellsTheRemedyAndEndsWithDataStatus) {
  const auto result = runProgram({"doctor", fixture("plain").string()});
  EXPECT_EQ(result.status, 3);
  EXPECT_NE(result.output.find("broken  device code"), std::string::npos) << result.output;
  EXPECT_NE(result.errorOutput.find("name the executable"), std::string::npos)
      << result.errorOutput;
  EXPECT_EQ(runProgram({"doctor", (folder().path() / "nothing").string()}).status, 3);
}
