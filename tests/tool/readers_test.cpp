// Readers of untrusted files: what is right is read, what is wrong or cut is refused.
#include <gtest/gtest.h>

#include <cstring>

#include "archive_reader.h"
#include "code_object.h"
#include "offload_container.h"
#include "support/bundle_builder.h"

using namespace device_coverage;
using namespace test_support;

namespace {

Bytes bytesOf(const std::string& text) {
  return std::as_bytes(std::span(text));
}

struct Found {
  OffloadContainer container;
  std::vector<std::string> images;
};

std::vector<Found> readAll(const std::string& section) {
  std::vector<Found> found;
  forEachOffloadContainer(bytesOf(section), [&](const OffloadContainer& container) {
    Found one{container, {}};
    for (const OffloadEntry& entry : container.entries)
      one.images.emplace_back(asText(entry.image));
    found.push_back(std::move(one));
  });
  return found;
}

const std::string kHostId = "host-x86_64-unknown-linux-gnu-";
const std::string kDeviceId = "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+";

std::string sampleBundle() {
  return plainBundle({{kHostId, ""}, {kDeviceId, "device code"}});
}

} // namespace

TEST(EntryIdTest, TargetIsFoundWhateverTheTripleLooksLike) {
  for (const auto& [id, kind, target] :
       {std::tuple{"hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+", "hipv4", "gfx90a:xnack+"},
        std::tuple{"hip-amdgcn-amd-amdhsa-gfx906", "hip", "gfx906"},
        std::tuple{"hip-amdgcn-amd-amdhsa-unknown-gfx9-4-generic", "hip", "gfx9-4-generic"},
        std::tuple{"openmp-amdgcn-amd-amdhsa--gfx1100", "openmp", "gfx1100"}}) {
    const OffloadEntry entry = parseEntryId(id);
    EXPECT_EQ(entry.kind, kind);
    ASSERT_TRUE(entry.target.has_value()) << id;
    EXPECT_EQ(entry.target->text(), target);
  }
}

TEST(EntryIdTest, HostAndForeignDevicesHaveNoTarget) {
  EXPECT_TRUE(parseEntryId(kHostId).isHost());
  EXPECT_FALSE(parseEntryId(kHostId).target.has_value());
  EXPECT_FALSE(parseEntryId("cuda-nvptx64-nvidia-cuda--sm_90").target.has_value());
}

TEST(BundleTest, EveryFormInARowWithPaddingIsRead) {
  std::string section;
  for (const uint16_t version : {1, 2, 3})
    for (const Method method : {Method::Zlib, Method::Zstd}) {
      section += sampleBundle();
      section.resize((section.size() + 4095) / 4096 * 4096, '\0');
      section += compressedBundle(sampleBundle(), version, method);
    }
  section.resize(section.size() + 100, '\0');
  const auto found = readAll(section);
  ASSERT_EQ(found.size(), 12U);
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].container.compressed.has_value(), i % 2 == 1);
    ASSERT_EQ(found[i].images.size(), 2U);
    EXPECT_EQ(found[i].images[0], "");
    EXPECT_EQ(found[i].images[1], "device code");
    EXPECT_EQ(found[i].container.entries[1].target->text(), "gfx90a:xnack+");
  }
}

TEST(BundleTest, CompressedBundlesFollowEachOtherWithoutPadding) {
  std::string section;
  for (const uint16_t version : {1, 2, 3, 1})
    section += compressedBundle(sampleBundle(), version, Method::Zstd);
  EXPECT_EQ(readAll(section).size(), 4U);
}

TEST(BundleTest, MoreDataThanOneDecompressorStepIsWhole) {
  std::string image(5'000'000, '\0');
  for (size_t i = 0; i < image.size(); ++i)
    image[i] = static_cast<char>((i * 2654435761U) >> 13);
  for (const Method method : {Method::Zlib, Method::Zstd}) {
    const auto found = readAll(compressedBundle(plainBundle({{kDeviceId, image}}), 3, method));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_TRUE(found[0].images[0] == image);
  }
}

TEST(BundleTest, CutAtAnyLengthItIsRefused) {
  for (const std::string& whole :
       {sampleBundle(), compressedBundle(sampleBundle(), 1, Method::Zlib),
        compressedBundle(sampleBundle(), 1, Method::Zstd),
        compressedBundle(sampleBundle(), 2, Method::Zlib),
        compressedBundle(sampleBundle(), 2, Method::Zstd),
        compressedBundle(sampleBundle(), 3, Method::Zlib),
        compressedBundle(sampleBundle(), 3, Method::Zstd)})
    for (size_t length = 1; length < whole.size(); ++length)
      EXPECT_THROW(readAll(whole.substr(0, length)), FormatError)
          << length << " of " << whole.size();
}

TEST(BundleTest, WrongSizesAreRefusedAndNotFollowed) {
  constexpr uint64_t kHuge = 0xffffffffffffff00;
  const std::string plain = sampleBundle();
  // Entry count; then of the first entry: offset, size, length of the ID.
  for (const size_t field : {24, 32, 40, 48})
    for (const uint64_t value : {kHuge, uint64_t{0x80000000}, uint64_t{plain.size() + 1}}) {
      std::string wrong = plain;
      std::memcpy(wrong.data() + field, &value, sizeof(value));
      EXPECT_THROW(readAll(wrong), FormatError) << field << " " << value;
    }
}

TEST(BundleTest, CompressedSizesThatLieAreRefused) {
  const std::string whole = compressedBundle(sampleBundle(), 3, Method::Zstd);
  const auto with = [&](size_t field, uint64_t value) {
    std::string wrong = whole;
    std::memcpy(wrong.data() + field, &value, sizeof(value));
    return wrong;
  };
  const uint64_t plainSize = sampleBundle().size();
  for (const uint64_t total :
       {uint64_t{0}, uint64_t{31}, whole.size() - 1, whole.size() + 1, ~uint64_t{0}})
    EXPECT_THROW(readAll(with(8, total)), FormatError) << total;
  for (const uint64_t size : {uint64_t{0}, plainSize - 1, plainSize + 1, ~uint64_t{0}})
    EXPECT_THROW(readAll(with(16, size)), FormatError) << size;
}

TEST(BundleTest, UnknownVersionAndMethodAreNamed) {
  std::string wrong = compressedBundle(sampleBundle(), 3, Method::Zstd);
  wrong[4] = 4;
  try {
    readAll(wrong);
    FAIL() << "version 4 was read";
  } catch (const FormatError& error) {
    EXPECT_NE(std::string(error.what()).find("version 4"), std::string::npos) << error.what();
  }
  wrong[4] = 3;
  wrong[6] = 7;
  EXPECT_THROW(readAll(wrong), FormatError);
}

TEST(BundleTest, CompressedBytesThatChangedAreNotTakenForCode) {
  const std::string whole = compressedBundle(sampleBundle(), 3, Method::Zlib);
  std::string wrong = whole;
  wrong[whole.size() - 10] = static_cast<char>(~wrong[whole.size() - 10]);
  EXPECT_THROW(readAll(wrong), FormatError);
}

TEST(BundleTest, CompressedContentThatIsNoBundleIsRefused) {
  EXPECT_THROW(readAll(compressedBundle("just some text", 3, Method::Zstd)), FormatError);
}

TEST(BundleTest, DirtBetweenBundlesIsToldWithItsOffset) {
  const std::string first = sampleBundle();
  std::vector<uint64_t> offsets;
  const std::string section = first + "dirt";
  try {
    forEachOffloadContainer(bytesOf(section),
                            [&](const OffloadContainer& c) { offsets.push_back(c.offset); });
    FAIL() << "dirt was read";
  } catch (const FormatError& error) {
    EXPECT_NE(std::string(error.what()).find(std::to_string(first.size())), std::string::npos);
  }
  EXPECT_EQ(offsets, std::vector<uint64_t>{0}) << "what stood before is still reported";
}

TEST(BundleTest, PaddingAloneHoldsNothing) {
  EXPECT_TRUE(readAll(std::string(4096, '\0')).empty());
}

TEST(CodeObjectTest, TargetComesFromTheHeader) {
  const auto target = [](uint32_t flags) {
    const std::string image = tinyCodeObject(flags);
    return CodeObject(ElfFile(bytesOf(image))).target().text();
  };
  EXPECT_EQ(target(0x53f), "gfx90a");
  EXPECT_EQ(target(0x73f), "gfx90a:xnack+");
  EXPECT_EQ(target(0xe3f), "gfx90a:sramecc+:xnack-");
  EXPECT_EQ(target(0x41), "gfx1100");
  EXPECT_EQ(target(0x105f), "gfx9-4-generic");
}

TEST(CodeObjectTest, UnknownProcessorIsNamedByItsContainerOrRefused) {
  const std::string image = tinyCodeObject(0xfe);
  EXPECT_THROW(CodeObject{ElfFile(bytesOf(image))}, FormatError);
  EXPECT_EQ(CodeObject(ElfFile(bytesOf(image)), TargetId::parse("gfx9999")).target().text(),
            "gfx9999");
}

TEST(ElfTest, CutAtAnyLengthItIsRefused) {
  const std::string whole = tinyCodeObject(0x53f, "payload");
  for (size_t length = 0; length < whole.size(); ++length) {
    const std::string cut = whole.substr(0, length);
    EXPECT_THROW(ElfFile{bytesOf(cut)}, FormatError) << length;
  }
  EXPECT_EQ(ElfFile(bytesOf(whole)).sections().size(), 3U);
}

TEST(ElfTest, SectionOutsideOfTheFileIsRefusedWhenItIsRead) {
  std::string image = tinyCodeObject(0x53f, "payload");
  Elf64_Shdr section;
  const size_t last = image.size() - sizeof(section);
  std::memcpy(&section, image.data() + last, sizeof(section));
  section.sh_size = uint64_t{1} << 31;
  std::memcpy(image.data() + last, &section, sizeof(section));
  const ElfFile elf(bytesOf(image));
  EXPECT_THROW(elf.content(*elf.find(".payload")), FormatError);
}

TEST(ElfTest, ThirtyTwoBitFilesAreRefused) {
  std::string image = tinyCodeObject();
  image[EI_CLASS] = ELFCLASS32;
  EXPECT_THROW(ElfFile{bytesOf(image)}, FormatError);
}

namespace {

std::string archiveMember(const std::string& name, const std::string& content,
                          const std::string& size = "") {
  std::string header(60, ' ');
  header.replace(0, name.size(), name);
  const std::string sizeText = size.empty() ? std::to_string(content.size()) : size;
  header.replace(48, sizeText.size(), sizeText);
  header.replace(58, 2, "`\n");
  return header + content + (content.size() % 2 == 1 ? "\n" : "");
}

std::vector<std::string> membersOf(const std::string& archive) {
  std::vector<std::string> members;
  forEachArchiveMember(bytesOf(archive), [&](const std::string& name, Bytes content) {
    members.push_back(name + "=" + std::string(asText(content)));
  });
  return members;
}

} // namespace

TEST(ArchiveTest, ShortAndLongNamesAndOddSizes) {
  const std::string archive = "!<arch>\n" + archiveMember("/", "symbols") +
                              archiveMember("//", "a_rather_long_name.o/\nanother_long_name.o/\n") +
                              archiveMember("short.o/", "one") + archiveMember("/22", "two2");
  EXPECT_EQ(membersOf(archive),
            (std::vector<std::string>{"short.o=one", "another_long_name.o=two2"}));
}

TEST(ArchiveTest, WrongSizesCutsAndThinArchivesAreRefused) {
  const std::string start = "!<arch>\n";
  EXPECT_THROW(membersOf(start + archiveMember("a.o/", "x", "9999999999")), FormatError);
  EXPECT_THROW(membersOf(start + archiveMember("a.o/", "x", "-1")), FormatError);
  EXPECT_THROW(membersOf(start + archiveMember("/99", "x")), FormatError);
  EXPECT_THROW(membersOf(start + "a few bytes"), FormatError);
  EXPECT_THROW(membersOf("!<thin>\n" + archiveMember("a.o/", "x")), FormatError);
}
