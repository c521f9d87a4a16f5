// The device runtime in every form it is linked in: the image must come out with its note, and with
// its profile sections where something is instrumented, and must leave no symbol undefined.
#include "code_object.h"
#include "test_files.h"

#include "device_coverage/device_note.h"

#include <gtest/gtest.h>

using namespace device_coverage;

namespace {

const std::string kBuild = std::string("'" CLANG "' -x hip -O1 -nogpuinc -nogpulib ") +
                           "-I '" DEVICE_COVERAGE_TEST_SOURCE_DIR "/device' ";
const std::string kInstrumented = EXACT_FLAGS " ";

std::string source(const std::string& name) {
  return " '" DEVICE_COVERAGE_TEST_SOURCE_DIR "/device/" + name + "' ";
}

std::string archive(const std::string& name) {
  return "'" DEVICE_COVERAGE_TEST_DEVICE_DIR "/" + name + ".a' ";
}

bool hasNote(const std::vector<uint8_t>& file) {
  ElfImage elf;
  Reason reason;
  bool found = false;
  if (elf.open(Bytes{file.data(), file.size()}, reason))
    elf.visitNotes(DEVICE_COVERAGE_NOTE_NAME, DEVICE_COVERAGE_NOTE_TYPE, [&](const Bytes&) {
      found = true;
      return true;
    });
  return found;
}

class DeviceRuntime : public testing::Test {
protected:
  std::string path(const std::string& name) {
    return "'" + (scratch.path() / name).string() + "' ";
  }

  void succeed(const std::string& command) {
    const CommandResult result = run(command);
    ASSERT_EQ(result.status, 0) << command << '\n' << result.output;
  }

  // Links a host library with clang's driver and takes a device image out of it.
  void linkByDriver(const std::string& flags, const std::string& name) {
    succeed(kBuild + flags + source(name) + "-fPIC -shared --hip-link -o " + path("library.so"));
  }
  std::vector<uint8_t> imageFor(const std::string& targetId) {
    succeed("'" LLVM_BIN_DIR "/llvm-objcopy' --dump-section .hip_fatbin=" + path("fatbin") +
            path("library.so"));
    succeed(
        "'" LLVM_BIN_DIR "/clang-offload-bundler' --type=o --unbundle --input=" + path("fatbin") +
        "--targets=hipv4-amdgcn-amd-amdhsa--" + targetId + " --output=" + path("image"));
    return readFile(scratch.path() / "image");
  }

  void expectInstrumented(const std::vector<uint8_t>& image, const std::string& targetId,
                          uint32_t counterBytes = 8, size_t functions = 3) {
    CodeObject object;
    Reason reason;
    EXPECT_EQ(inspectCodeObject(Bytes{image.data(), image.size()}, object, reason),
              Inspection::Instrumented)
        << reason.c_str();
    EXPECT_EQ(object.targetId.c_str(), targetId);
    EXPECT_EQ(object.counterBytes, counterBytes);
    EXPECT_EQ(functionCount(object), functions);
    expectNothingUndefined(image);
  }
  void expectUninstrumentedButWhole(const std::vector<uint8_t>& image) {
    CodeObject object;
    Reason reason;
    EXPECT_EQ(inspectCodeObject(Bytes{image.data(), image.size()}, object, reason),
              Inspection::NotInstrumented)
        << reason.c_str();
    expectNothingUndefined(image);
  }
  // The loader refuses an image with an undefined symbol.
  void expectNothingUndefined(const std::vector<uint8_t>& image) {
    writeFile(scratch.path() / "checked", image.data(), image.size());
    EXPECT_EQ(run("'" LLVM_BIN_DIR "/llvm-nm' --undefined-only -D " + path("checked")).output, "");
  }

  ScratchFolder scratch;
};

struct DriverForm {
  const char* name;
  const char* flags;
};

class DeviceRuntimeByDriver
    : public DeviceRuntime,
      public testing::WithParamInterface<std::tuple<DriverForm, const char*>> {
protected:
  std::string flags() const {
    const auto& [form, runtime] = GetParam();
    return std::string(form.flags) + " --offload-arch=gfx90a -mcode-object-version=4 " +
           "-Xoffload-linker " + archive(runtime);
  }
};

TEST_P(DeviceRuntimeByDriver, anInstrumentedImageIsComplete) {
  linkByDriver(flags() + kInstrumented, "counted.hip");
  expectInstrumented(imageFor("gfx90a"), "gfx90a");
}

TEST_P(DeviceRuntimeByDriver, anImageWithoutInstrumentedFunctionsLinks) {
  linkByDriver(flags(), "plain.hip");
  expectUninstrumentedButWhole(imageFor("gfx90a"));
}

INSTANTIATE_TEST_SUITE_P(
    Forms, DeviceRuntimeByDriver,
    testing::Combine(testing::Values(DriverForm{"oldDriver", "--no-offload-new-driver"},
                                     DriverForm{"oldDriverRdc",
                                                "--no-offload-new-driver -fgpu-rdc"},
                                     DriverForm{"newDriver", "--offload-new-driver"},
                                     DriverForm{"newDriverRdc", "--offload-new-driver -fgpu-rdc"}),
                     testing::Values("runtime4-exact", "runtime4-exact-gfx90a")),
    [](const auto& info) {
      const std::string runtime = std::get<1>(info.param);
      return std::string(std::get<0>(info.param).name) +
             (runtime == "runtime4-exact" ? "Bitcode" : "Elf");
    });

// From LLVM 23 on each unit brings a table of the sections, which are merged by then.
TEST_F(DeviceRuntime, severalUnitsOfRelocatableCodeKeepTheirFunctionsOnce) {
  for (const std::string driver : {"--no-offload-new-driver ", "--offload-new-driver "}) {
    std::string objects;
    for (const std::string unit : {"counted", "other"}) {
      succeed(kBuild + kInstrumented + RDC_FLAGS " --offload-arch=gfx90a -mcode-object-version=4 " +
              driver + "-fPIC -c" + source(unit + ".hip") + "-o " + path(unit + ".o"));
      objects += path(unit + ".o");
    }
    succeed("'" CLANG "' --hip-link -fgpu-rdc -nogpulib --offload-arch=gfx90a "
            "-mcode-object-version=4 -O1 -fPIC -shared " +
            driver + objects + "-Xoffload-linker " + archive("runtime4-exact") + "-o " +
            path("library.so"));
    expectInstrumented(imageFor("gfx90a"), "gfx90a", 8, 4);
  }
}

TEST_F(DeviceRuntime, oneBitcodeArchiveServesSeveralArchitecturesAndFeatures) {
  linkByDriver("--offload-arch=gfx90a:xnack+ --offload-arch=gfx90a:xnack- --offload-arch=gfx908 "
               "-mcode-object-version=4 -Xoffload-linker " +
                   archive("runtime4-exact") + kInstrumented,
               "counted.hip");
  expectInstrumented(imageFor("gfx90a:xnack+"), "gfx90a:xnack+");
  expectInstrumented(imageFor("gfx90a:xnack-"), "gfx90a:xnack-");
  expectInstrumented(imageFor("gfx908"), "gfx908");
}

TEST_F(DeviceRuntime, anElfWithoutFeaturesServesImagesWithThem) {
  linkByDriver("--offload-arch=gfx90a:xnack+ --offload-arch=gfx90a:xnack- "
               "-mcode-object-version=4 -Xoffload-linker " +
                   archive("runtime4-exact-gfx90a") + kInstrumented,
               "counted.hip");
  expectInstrumented(imageFor("gfx90a:xnack+"), "gfx90a:xnack+");
  expectInstrumented(imageFor("gfx90a:xnack-"), "gfx90a:xnack-");
}

TEST_F(DeviceRuntime, anArchiveNamedTwiceLinksOnce) {
  const std::string runtime = "-Xoffload-linker " + archive("runtime4-exact");
  linkByDriver("--offload-arch=gfx90a -mcode-object-version=4 " + runtime + runtime + kInstrumented,
               "counted.hip");
  expectInstrumented(imageFor("gfx90a"), "gfx90a");
}

TEST_F(DeviceRuntime, everyCodeObjectVersionHasItsArchive) {
  for (const std::string version : {"4", "5", "6"}) {
    linkByDriver("--offload-arch=gfx90a -mcode-object-version=" + version + " -Xoffload-linker " +
                     archive("runtime" + version + "-exact") + kInstrumented,
                 "counted.hip");
    expectInstrumented(imageFor("gfx90a"), "gfx90a");
  }
}

TEST_F(DeviceRuntime, coveredOrNotCountersHaveAnArchiveOfTheirOwn) {
  linkByDriver("--offload-arch=gfx90a -mcode-object-version=4 -Xoffload-linker " +
                   archive("runtime4-covered") +
                   "-fprofile-instr-generate -fcoverage-mapping "
                   "-Xclang -mllvm -Xclang -enable-single-byte-coverage=true ",
               "counted.hip");
  expectInstrumented(imageFor("gfx90a"), "gfx90a", 1);
}

TEST_F(DeviceRuntime, plainLldLinksTheElfArchive) {
  succeed(kBuild + kInstrumented +
          "--offload-arch=gfx90a -mcode-object-version=4 --cuda-device-only --no-gpu-bundle-output "
          "-fgpu-rdc -fno-offload-lto -c -emit-llvm" +
          source("counted.hip") + "-o " + path("code.bc"));
  succeed("'" CLANG "' --target=amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -O1 -c -x ir " +
          path("code.bc") + "-o " + path("code.o"));
  for (const std::string runtime : {"", "--whole-archive "}) {
    succeed("'" LLVM_BIN_DIR "/ld.lld' -shared --no-undefined " + path("code.o") + runtime +
            archive("runtime4-exact-gfx90a") + "-o " + path("image"));
    expectInstrumented(readFile(scratch.path() / "image"), "gfx90a");
  }
}

TEST_F(DeviceRuntime, plainLldLinksTheBitcodeArchiveForANamedArchitecture) {
  succeed(kBuild + kInstrumented +
          "--offload-arch=gfx90a -mcode-object-version=4 --cuda-device-only --no-gpu-bundle-output "
          "-fgpu-rdc -c -emit-llvm" +
          source("counted.hip") + "-o " + path("code.bc"));
  succeed("'" LLVM_BIN_DIR "/ld.lld' -shared --no-undefined -plugin-opt=mcpu=gfx90a " +
          path("code.bc") + archive("runtime4-exact") + "-o " + path("image"));
  expectInstrumented(readFile(scratch.path() / "image"), "gfx90a");
}

TEST_F(DeviceRuntime, anArchiveOfAnotherWidthIsRefusedByTheDrain) {
  linkByDriver("--offload-arch=gfx90a -mcode-object-version=4 -Xoffload-linker " +
                   archive("runtime4-covered") + kInstrumented,
               "counted.hip");
  const std::vector<uint8_t> image = imageFor("gfx90a");
  ASSERT_TRUE(hasNote(image));
  CodeObject object;
  Reason reason;
  EXPECT_EQ(inspectCodeObject(Bytes{image.data(), image.size()}, object, reason),
            Inspection::Refused);
}

} // namespace
