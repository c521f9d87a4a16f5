// Finding and extracting the device code of a large library. Its size in MiB is the environment's
// DEVICE_COVERAGE_BENCHMARK_MEBIBYTES; memory must not grow with it.
#include "report_measurement.h"

#include <cstdlib>
#include <cstring>

#include <elf.h>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>
#include <zstd.h>

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

double cpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return cpuSecondsOf(usage);
}

/// What cannot be avoided: as many bytes, written to as many files without looking at them, after
/// libzstd alone has decompressed them where `compressed` is not empty.
void printFloor(const TemporaryFolder& folder, const Library& library,
                const std::string& compressed, const std::string& image) {
  const auto place = folder.path() / "floor";
  std::filesystem::create_directories(place);
  std::vector<char> room(image.size() + kMebibyte);
  ZSTD_DCtx* const context = ZSTD_createDCtx();
  const auto begin = std::chrono::steady_clock::now();
  const double cpuBegin = cpuSeconds();
  for (size_t i = 0; i < library.images; ++i) {
    if (!compressed.empty()) {
      const size_t size = ZSTD_decompressDCtx(context, room.data(), room.size(), compressed.data(),
                                              compressed.size());
      ASSERT_EQ(ZSTD_isError(size), 0U);
    }
    const int file = open((place / std::to_string(i)).c_str(), O_WRONLY | O_CREAT, 0600);
    ASSERT_EQ(write(file, compressed.empty() ? image.data() : room.data(), image.size()),
              static_cast<ssize_t>(image.size()));
    close(file);
  }
  const double cpu = cpuSeconds() - cpuBegin;
  ZSTD_freeDCtx(context);
  fmt::print("  {} alone: {:.2f} s ({:.2f} s of CPU)\n",
             compressed.empty() ? "writing as much" : "libzstd and writing as much",
             std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), cpu);
  std::filesystem::remove_all(place);
}

void measureLibrary(bool compressed) {
  const TemporaryFolder folder;
  const Library library = makeLibrary(folder, compressed);
  const std::string kind =
      fmt::format("{} MiB in {} bundles", libraryMebibytes(), compressed ? "zstd" : "plain");
  const Measurement inspection = measureProgram({"inspect", "--json", library.path.string()});
  printFigures("inspect " + kind, inspection);
  ASSERT_EQ(inspection.result.status, 0) << inspection.result.errorOutput;
  const auto entries =
      nlohmann::json::parse(inspection.result.output).at("files").at(0).at("entries");
  EXPECT_EQ(entries.size(), 1 + 2 * library.images) << "the library itself, and two of each bundle";

  const auto output = folder.path() / "code objects";
  const std::vector<std::string> arguments{"extract", library.path.string(), "-o", output.string()};
  // The first time takes memory from the system, which costs more than all the rest.
  measureProgram(arguments);
  std::filesystem::remove_all(output);
  const Measurement extraction = measureProgram(arguments);
  printFigures("extract " + kind, extraction);
  ASSERT_EQ(extraction.result.status, 0) << extraction.result.errorOutput;
  EXPECT_EQ(namesIn(output).size(), library.images);
  EXPECT_LT(extraction.peak, kMemoryBar);
  std::filesystem::remove_all(output);
  const std::string image = tinyCodeObject(0x53f, payload(0));
  constexpr size_t kHeader = 32; // of a compressed bundle, version 3
  printFloor(folder, library,
             compressed ? compressedBundle(image, 3, Method::Zstd).substr(kHeader) : "", image);
}

/// One code object of half the size.
std::filesystem::path writeLargeImage(const TemporaryFolder& folder, bool compressed) {
  std::string content;
  for (uint64_t size = 0; size < libraryMebibytes() * kMebibyte / 2; size += kImageSize)
    content += payload(size);
  const std::string bundle =
      plainBundle({{"hipv4-amdgcn-amd-amdhsa--gfx90a", tinyCodeObject(0x53f, content)}}, 4096);
  return folder.write("fat.hipfb", compressed ? compressedBundle(bundle, 3, Method::Zstd) : bundle);
}

} // namespace

TEST(ImagesBench, PlainBundles) {
  measureLibrary(false);
}

TEST(ImagesBench, CompressedBundles) {
  measureLibrary(true);
}

TEST(ImagesBench, OneImageOfAllTheSize) {
  for (const bool compressed : {false, true}) {
    const TemporaryFolder folder;
    const auto path = writeLargeImage(folder, compressed);
    const auto output = folder.path() / "code objects";
    const Measurement extraction =
        measureProgram({"extract", path.string(), "-o", output.string()});
    printFigures(fmt::format("extract {} MiB in one image, {}", libraryMebibytes() / 2,
                             compressed ? "zstd" : "plain"),
                 extraction);
    ASSERT_EQ(extraction.result.status, 0) << extraction.result.errorOutput;
    EXPECT_EQ(namesIn(output).size(), 1U);
    EXPECT_LT(extraction.peak, kMemoryBar);
  }
}
