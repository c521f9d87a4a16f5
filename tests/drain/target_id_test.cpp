// Target IDs from ELF flags, compared with what the toolchain's assembler puts into its ELFs.
#include "target_id.h"
#include "test_files.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <sstream>

using namespace device_coverage;

namespace {

std::string targetOf(uint8_t abiVersion, uint32_t flags) {
  TargetId targetId;
  Reason reason;
  return targetIdFromElf(abiVersion, flags, targetId, reason) ? targetId.c_str() : reason.c_str();
}

std::string asFileName(const char* targetId) {
  return targetIdAsFileName(TargetId(targetId)).c_str();
}

TEST(TargetId, featuresAppearOnlyWhenSet) {
  EXPECT_EQ(targetOf(2, 0x53f), "gfx90a");
  EXPECT_EQ(targetOf(2, 0x63f), "gfx90a:xnack-");
  EXPECT_EQ(targetOf(3, 0x73f), "gfx90a:xnack+");
  EXPECT_EQ(targetOf(3, 0xe3f), "gfx90a:sramecc+:xnack-");
  EXPECT_EQ(targetOf(4, 0xb3f), "gfx90a:sramecc-:xnack+");
}

TEST(TargetId, theGenericVersionOfCodeObject6IsNotPartOfTheName) {
  EXPECT_EQ(targetOf(4, 0x01000051), "gfx9-generic");
}

TEST(TargetId, fileNamesHoldNothingThatFileSystemsOrArtefactStoresRefuse) {
  EXPECT_EQ(asFileName("gfx90a"), "gfx90a");
  EXPECT_EQ(asFileName("gfx90a:sramecc+:xnack-"), "gfx90a.sramecc-on.xnack-off");
  EXPECT_EQ(asFileName("gfx10-3-generic"), "gfx10-3-generic");
  EXPECT_EQ(asFileName("gfx9-4-generic:sramecc-:xnack+"), "gfx9-4-generic.sramecc-off.xnack-on");
}

// All processors that the toolchain knows, so that a new one is noticed when the toolchain is
// updated.
TEST(TargetId, everyArchitectureOfTheToolchainIsKnown) {
  const ScratchFolder scratch;
  const std::string object = (scratch.path() / "empty.o").string();
  std::istringstream lines(
      run(CLANG " --target=amdgcn-amd-amdhsa --print-supported-cpus -nogpulib").output);
  size_t known = 0;
  for (std::string name; std::getline(lines, name);) {
    const size_t begin = name.find("gfx");
    if (begin == std::string::npos || name.find(' ', begin) != std::string::npos)
      continue;
    name = name.substr(begin);
    const CommandResult assembled =
        run("echo | " CLANG " --target=amdgcn-amd-amdhsa -nogpulib -mcode-object-version=6 -mcpu=" +
            name + " -x assembler -c - -o " + object);
    ASSERT_EQ(assembled.status, 0) << assembled.output;
    const std::vector<uint8_t> file = readFile(object);
    const auto& header = *reinterpret_cast<const Elf64_Ehdr*>(file.data());
    EXPECT_EQ(targetOf(header.e_ident[EI_ABIVERSION], header.e_flags & 0xff), name);
    ++known;
  }
  EXPECT_GT(known, 30u) << "the list of processors was not understood";
}

} // namespace
