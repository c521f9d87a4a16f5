// Finding and extracting the device code of a large library. Its size in MiB is the environment's
// DEVICE_COVERAGE_BENCHMARK_MEBIBYTES; memory must not grow with it.
#include "report_measurement.h"

#include <cstdlib>
#include <cstring>

#include <elf.h>
#include <nlohmann/json.hpp>

#include "support/bundle_builder.h"

using namespace test_support;

namespace {

constexpr uint64_t kImageSize = 4 * kMebibyte;
// Room for the program and a few images, far below the smallest library that is measured.
constexpr uint64_t kMemoryBar = 64 * kMebibyte;

uint64_t libraryMebibytes() {
  const char* text = std::getenv("DEVICE_COVERAGE_BENCHMARK_MEBIBYTES");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 128;
}

/// Text that compresses about as code does, another for each `seed`.
std::string payload(uint64_t seed) {
  std::string text;
  text.reserve(kImageSize);
  uint64_t state = seed * 2 + 1;
  while (text.size() < kImageSize) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    appendNumber(text, (state >> 32) & 0x0f0f3fU, 4);
  }
  return text;
}

/// A shared library that is nothing but a section `.hip_fatbin`, written piece by piece.
class LibraryWriter {
public:
  explicit LibraryWriter(const std::filesystem::path& path) : stream_(path, std::ios::binary) {
    stream_.seekp(kBegin);
  }

  void add(const std::string& bundle) {
    stream_ << bundle << std::string((kAlignment - bundle.size() % kAlignment) % kAlignment, '\0');
  }

  /// Writes the headers.
  void finish() {
    const uint64_t end = static_cast<uint64_t>(stream_.tellp());
    const std::string names("\0.hip_fatbin\0.shstrtab\0", 23);
    Elf64_Shdr sections[3]{};
    sections[1].sh_name = 1;
    sections[1].sh_type = SHT_PROGBITS;
    sections[1].sh_offset = kBegin;
    sections[1].sh_size = end - kBegin;
    sections[2].sh_name = 13;
    sections[2].sh_type = SHT_STRTAB;
    sections[2].sh_offset = end;
    sections[2].sh_size = names.size();
    stream_ << names;
    stream_.write(reinterpret_cast<const char*>(sections), sizeof(sections));
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_DYN;
    header.e_machine = EM_X86_64;
    header.e_ehsize = sizeof(Elf64_Ehdr);
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = 3;
    header.e_shstrndx = 2;
    header.e_shoff = end + names.size();
    stream_.seekp(0);
    stream_.write(reinterpret_cast<const char*>(&header), sizeof(header));
    stream_.close();
    if (!stream_)
      throw std::runtime_error("the library cannot be written");
  }

private:
  static constexpr uint64_t kBegin = 4096;
  static constexpr uint64_t kAlignment = 4096;

  std::ofstream stream_;
};

struct Library {
  std::filesystem::path path;
  size_t images = 0;
};

/// A library whose images have the wanted size altogether before they are compressed.
Library makeLibrary(const TemporaryFolder& folder, bool compressed) {
  Library library{folder.path() / "libmany.so", libraryMebibytes() * kMebibyte / kImageSize};
  LibraryWriter writer(library.path);
  for (size_t image = 0; image < library.images; ++image) {
    const std::string bundle =
        plainBundle({{"host-x86_64-unknown-linux-gnu-", ""},
                     {"hipv4-amdgcn-amd-amdhsa--gfx90a", tinyCodeObject(0x53f, payload(image))}},
                    4096);
    writer.add(compressed ? compressedBundle(bundle, 3, Method::Zstd) : bundle);
  }
  writer.finish();
  return library;
}

void measureLibrary(bool compressed) {
  const TemporaryFolder folder;
  const Library library = makeLibrary(folder, compressed);
  const std::string kind =
      fmt::format("{} MiB in {} bundles", libraryMebibytes(), compressed ? "zstd" : "plain");
  const Measurement inspection = measureProgram({"inspect", "--json", library.path.string()});
  printFigures("inspect " + kind, inspection);
  ASSERT_EQ(inspection.result.status, 0) << inspection.result.errorOutput;
  const auto entries = nlohmann::json::parse(inspection.result.output).at(0).at("entries");
  EXPECT_EQ(entries.size(), 1 + 2 * library.images) << "the library itself, and two of each bundle";

  const auto output = folder.path() / "code objects";
  const Measurement extraction =
      measureProgram({"extract", library.path.string(), "-o", output.string()});
  printFigures("extract " + kind, extraction);
  ASSERT_EQ(extraction.result.status, 0) << extraction.result.errorOutput;
  EXPECT_EQ(namesIn(output).size(), library.images);
  EXPECT_LT(extraction.peak, kMemoryBar);
}

} // namespace

TEST(ImagesBench, PlainBundles) {
  measureLibrary(false);
}

TEST(ImagesBench, CompressedBundles) {
  measureLibrary(true);
}
