// Reading code objects: sound ones of each kind, and every way of being damaged.
#include "code_object.h"
#include "fuzz_code_object.h"
#include "profile_format.h"
#include "test_files.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace device_coverage;

namespace {

struct Inspected {
  Inspection result;
  std::string reason;
};

// Exactly sized on the heap, so that AddressSanitizer sees a read beyond the end.
Inspected inspect(const std::vector<uint8_t>& file) {
  CodeObject object;
  Reason reason;
  const Inspection result = inspectCodeObject(Bytes{file.data(), file.size()}, object, reason);
  return {result, reason.c_str()};
}

void expectRefused(const std::vector<uint8_t>& file, const std::string& part) {
  const Inspected inspected = inspect(file);
  EXPECT_EQ(inspected.result, Inspection::Refused);
  EXPECT_NE(inspected.reason.find(part), std::string::npos) << inspected.reason;
}

// Access to headers of an ELF in memory.
class Editor {
public:
  explicit Editor(const std::string& name) : file(deviceElf(name)) {}
  Elf64_Ehdr& header() { return *reinterpret_cast<Elf64_Ehdr*>(file.data()); }
  Elf64_Shdr& section(const std::string& name) {
    auto* sections = reinterpret_cast<Elf64_Shdr*>(file.data() + header().e_shoff);
    const char* names =
        reinterpret_cast<char*>(file.data()) + sections[header().e_shstrndx].sh_offset;
    for (size_t i = 0; i < header().e_shnum; ++i)
      if (name == names + sections[i].sh_name)
        return sections[i];
    throw std::runtime_error("no section " + name);
  }
  // The bytes of a section, as 32-bit words.
  uint32_t* words(const std::string& name) {
    return reinterpret_cast<uint32_t*>(file.data() + section(name).sh_offset);
  }

  std::vector<uint8_t> file;
};

constexpr size_t kWordOfNumCounters = offsetof(ProfileRecord, NumCounters) / sizeof(uint32_t);
constexpr size_t kWordOfCounterPtr = offsetof(ProfileRecord, CounterPtr) / sizeof(uint32_t);
constexpr size_t kWordOfNoteAbi = 7; // after sizes, type and name

TEST(CodeObject, exactCountersAreUnderstood) {
  const std::vector<uint8_t> file = deviceElf("exact");
  CodeObject object;
  Reason reason;
  ASSERT_EQ(inspectCodeObject(Bytes{file.data(), file.size()}, object, reason),
            Inspection::Instrumented)
      << reason.c_str();
  EXPECT_STREQ(object.targetId.c_str(), "gfx90a");
  EXPECT_EQ(object.counterBytes, 8u);
  EXPECT_EQ(functionCount(object), 3u);
  EXPECT_EQ(object.counters().size, 64u);
  EXPECT_EQ(object.bitmap().size, 0u);
  EXPECT_EQ(object.binaryId.size(), 20u);
}

TEST(CodeObject, coveredOrNotCountersAreUnderstood) {
  const std::vector<uint8_t> file = deviceElf("covered");
  CodeObject object;
  Reason reason;
  ASSERT_EQ(inspectCodeObject(Bytes{file.data(), file.size()}, object, reason),
            Inspection::Instrumented)
      << reason.c_str();
  EXPECT_EQ(object.counterBytes, 1u);
  EXPECT_EQ(object.rawVersion >> 60, 1u);
}

TEST(CodeObject, anImageWithoutInstrumentedFunctionsIsNotInstrumented) {
  EXPECT_EQ(inspect(deviceElf("plain")).result, Inspection::NotInstrumented);
  EXPECT_EQ(inspect(deviceElf("plain")).reason, "");
}

TEST(CodeObject, anotherMachinesElfIsRefused) {
  Editor editor("exact");
  editor.header().e_machine = EM_X86_64;
  expectRefused(editor.file, "not a 64-bit little-endian AMDGPU ELF");
}

TEST(CodeObject, anOldCodeObjectVersionIsRefused) {
  Editor editor("exact");
  editor.header().e_ident[EI_ABIVERSION] = 1;
  expectRefused(editor.file, "ELF ABI version is 1");
}

TEST(CodeObject, anUnknownArchitectureIsRefused) {
  Editor editor("exact");
  editor.header().e_flags = (editor.header().e_flags & ~0xffu) | 0xfe;
  expectRefused(editor.file, "architecture number 0xfe");
}

TEST(CodeObject, countersOutsideTheLoadedSegmentsAreRefused) {
  Editor editor("exact");
  editor.section("__llvm_prf_cnts").sh_addr = 0x7fffffff0000;
  expectRefused(editor.file, "outside its loaded segments");
}

TEST(CodeObject, anAbsurdCounterSizeIsRefused) {
  Editor editor("exact");
  editor.section("__llvm_prf_cnts").sh_size = UINT64_MAX - 7;
  expectRefused(editor.file, "__llvm_prf_cnts (18446744073709551608 bytes");
}

TEST(CodeObject, recordsThatDoNotDivideAreRefused) {
  Editor editor("exact");
  editor.section("__llvm_prf_data").sh_size -= 1;
  expectRefused(editor.file, "not a whole number of records");
}

TEST(CodeObject, countersThatDoNotDivideAreRefused) {
  Editor editor("exact");
  editor.section("__llvm_prf_cnts").sh_size -= 1;
  expectRefused(editor.file, "not a whole number of counters");
}

TEST(CodeObject, aRecordWithTooManyCountersIsRefused) {
  Editor editor("exact");
  editor.words("__llvm_prf_data")[kWordOfNumCounters] = 1'000'000'000;
  expectRefused(editor.file, "record 0 has 1000000000 entries");
}

TEST(CodeObject, aRecordWithoutCountersIsRefused) {
  Editor editor("exact");
  editor.words("__llvm_prf_data")[kWordOfNumCounters] = 0;
  expectRefused(editor.file, "record 0 has no counters");
}

TEST(CodeObject, aRecordWhoseCountersLieBeforeTheSectionIsRefused) {
  Editor editor("exact");
  editor.words("__llvm_prf_data")[kWordOfCounterPtr] -= 4096;
  expectRefused(editor.file, "record 0 has");
}

TEST(CodeObject, aMcDcRecordWhoseBitmapIsOutsideIsRefused) {
  Editor editor("mcdc");
  editor.section("__llvm_prf_bits").sh_size = 0;
  expectRefused(editor.file, "entries at offset 0 of the 0 bytes of section __llvm_prf_bits");
}

TEST(CodeObject, aNoteOfAnotherAbiIsRefused) {
  Editor editor("exact");
  editor.words(".note.device_coverage")[kWordOfNoteAbi] = 9;
  expectRefused(editor.file, "ABI 9");
}

TEST(CodeObject, codeOfAnotherProfileVersionIsRefused) {
  Editor editor("exact");
  editor.words(".note.device_coverage")[kWordOfNoteAbi + 2] = 9;
  expectRefused(editor.file, "raw-profile version 9");
}

TEST(CodeObject, aCounterWidthThatContradictsTheVersionIsRefused) {
  Editor editor("exact");
  editor.words(".note.device_coverage")[kWordOfNoteAbi + 1] = 1;
  expectRefused(editor.file, "counters of 1 bytes");
}

TEST(CodeObject, strippedSectionHeadersAreRefusedAndNotTakenForUninstrumented) {
  Editor editor("exact");
  editor.header().e_shnum = 0;
  editor.header().e_shoff = 0;
  expectRefused(editor.file, "section headers were stripped");
}

TEST(CodeObject, sectionHeadersBeyondTheEndAreRefused) {
  Editor editor("exact");
  editor.header().e_shoff = UINT64_MAX - 8;
  expectRefused(editor.file, "outside its");
}

TEST(CodeObject, programHeadersBeyondTheEndAreRefused) {
  Editor editor("exact");
  editor.header().e_phoff = UINT64_MAX - 8;
  expectRefused(editor.file, "program header 0 is outside");
}

TEST(CodeObject, everyTruncationIsHandled) {
  const std::vector<uint8_t> whole = deviceElf("exact");
  for (size_t size = 0; size < whole.size(); ++size) {
    const std::vector<uint8_t> part(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size));
    EXPECT_NE(inspect(part).result, Inspection::Instrumented) << size << " bytes";
  }
}

// What passes must be safe to copy and write: no counter beyond its section.
TEST(CodeObject, randomDamageNeverReadsOutOfBounds) {
  std::minstd_rand random(1);
  for (const char* name : {"exact", "mcdc", "covered"}) {
    const std::vector<uint8_t> whole = deviceElf(name);
    for (int round = 0; round < 3000; ++round) {
      std::vector<uint8_t> damaged = whole;
      for (int i = 0; i < 3; ++i)
        damaged[random() % damaged.size()] = static_cast<uint8_t>(random());
      tryToWriteProfile(damaged.data(), damaged.size());
    }
  }
}

TEST(CodeObject, codeThatDiffersIsNeverTakenForTheSame) {
  const auto same = [](const std::vector<uint8_t>& one, const std::vector<uint8_t>& two) {
    CodeObject objects[2];
    Reason reason;
    inspectCodeObject(Bytes{one.data(), one.size()}, objects[0], reason);
    inspectCodeObject(Bytes{two.data(), two.size()}, objects[1], reason);
    return isSameCode(objects[0], objects[1]);
  };
  const std::vector<uint8_t> exact = deviceElf("exact");
  EXPECT_TRUE(same(exact, exact));
  EXPECT_FALSE(same(exact, deviceElf("other")));
  EXPECT_FALSE(same(exact, deviceElf("xnack")));
  EXPECT_FALSE(same(exact, deviceElf("covered")));
  Editor otherHash("exact");
  otherHash.words("__llvm_prf_data")[2] ^= 1;
  EXPECT_FALSE(same(exact, otherHash.file));
}

} // namespace
