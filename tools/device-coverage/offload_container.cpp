#include "offload_container.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "mapped_file.h"
#include "offload_binary.h"

namespace device_coverage {
namespace {

constexpr std::string_view kBundleMagic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr uint64_t kEntryHeaderSize = 24; // offset, size, length of the ID, all u64

/// Reads the table of a plain bundle; returns the number of bytes that bundle and images take.
uint64_t readBundle(Bytes bytes, std::vector<OffloadEntry>& entries) {
  constexpr std::string_view kWhat = "the table of an offload bundle";
  const auto count = readAt<uint64_t>(bytes, kBundleMagic.size(), kWhat);
  uint64_t cursor = kBundleMagic.size() + sizeof(count);
  if (count > (bytes.size() - cursor) / kEntryHeaderSize)
    throw FormatError(fmt::format("states {} entries, more than fit into the {} bytes there", count,
                                  bytes.size()));
  uint64_t end = cursor;
  for (uint64_t i = 0; i < count; ++i) {
    const auto offset = readAt<uint64_t>(bytes, cursor, kWhat);
    const auto size = readAt<uint64_t>(bytes, cursor + 8, kWhat);
    const auto idLength = readAt<uint64_t>(bytes, cursor + 16, kWhat);
    cursor += kEntryHeaderSize;
    OffloadEntry entry = parseEntryId(asText(slice(bytes, cursor, idLength, "an entry ID")));
    cursor += idLength;
    entry.image = slice(bytes, offset, size, fmt::format("entry {}", entry.id));
    end = std::max({end, cursor, offset + size});
    entries.push_back(std::move(entry));
  }
  return end;
}

void visitPlain(Bytes bytes, OffloadContainer container,
                const std::function<void(const OffloadContainer&)>& visit, uint64_t& size) {
  size = readBundle(bytes, container.entries);
  container.size = size;
  visit(container);
}

void visitCompressed(Bytes bytes, Decompressor& decompressor, OffloadContainer container,
                     const std::function<void(const OffloadContainer&)>& visit, uint64_t& size) {
  const CompressedBundleHeader header = readCompressedBundleHeader(bytes);
  const uint64_t end = header.totalSize != 0 ? header.totalSize : bytes.size();
  uint64_t used = 0;
  const Bytes content = decompressor.decompress(
      header.compression, bytes.subspan(header.headerSize, end - header.headerSize),
      header.uncompressedSize, used);
  if (!startsWith(content, kBundleMagic))
    throw FormatError("is compressed and holds no offload bundle");
  readBundle(content, container.entries);
  size = header.totalSize != 0 ? header.totalSize : header.headerSize + used;
  container.format = OffloadContainer::Format::CompressedBundle;
  container.size = size;
  container.compressed = header;
  visit(container);
}

void visitOffloadBinary(Bytes bytes, OffloadContainer container,
                        const std::function<void(const OffloadContainer&)>& visit, uint64_t& size) {
  size = readOffloadBinary(bytes, container.entries);
  container.format = OffloadContainer::Format::OffloadBinary;
  container.size = size;
  visit(container);
}

uint64_t firstNonZero(Bytes bytes, uint64_t offset) {
  // Padding may be long: it is passed in large steps first.
  static constexpr std::array<std::byte, 4096> kZeroes{};
  while (bytes.size() - offset >= kZeroes.size() &&
         std::memcmp(bytes.data() + offset, kZeroes.data(), kZeroes.size()) == 0)
    offset += kZeroes.size();
  const auto rest = bytes.subspan(offset);
  return offset +
         static_cast<uint64_t>(
             std::find_if(rest.begin(), rest.end(), [](std::byte b) { return b != std::byte{0}; }) -
             rest.begin());
}

} // namespace

bool beginsOffloadContainer(Bytes bytes) {
  return startsWith(bytes, kBundleMagic) || startsWith(bytes, kCompressedBundleMagic) ||
         startsWith(bytes, kOffloadBinaryMagic);
}

OffloadEntry parseEntryId(std::string_view id) {
  OffloadEntry entry;
  entry.id = id;
  entry.kind = id.substr(0, id.find('-'));
  // Between kind and target stands a triple with or without an environment: its dashes do not tell
  // where the target begins, but every AMD GPU's name begins with "gfx".
  if (const size_t target = id.find("-gfx"); target != std::string_view::npos)
    entry.target = TargetId::parse(id.substr(target + 1));
  return entry;
}

void forEachOffloadContainer(Bytes section,
                             const std::function<void(const OffloadContainer&)>& visit) {
  Decompressor decompressor;
  uint64_t offset = firstNonZero(section, 0);
  while (offset < section.size()) {
    const Bytes rest = section.subspan(offset);
    OffloadContainer container;
    container.offset = offset;
    uint64_t size = 0;
    try {
      if (startsWith(rest, kBundleMagic))
        visitPlain(rest, std::move(container), visit, size);
      else if (startsWith(rest, kCompressedBundleMagic))
        visitCompressed(rest, decompressor, std::move(container), visit, size);
      else if (startsWith(rest, kOffloadBinaryMagic))
        visitOffloadBinary(rest, std::move(container), visit, size);
      else
        throw FormatError("is neither an offload bundle nor padding");
    } catch (const FormatError& error) {
      throw FormatError(fmt::format("at offset {} of the device code: {}", offset, error.what()));
    }
    releaseMapped(rest.first(size));
    offset = firstNonZero(section, offset + size);
  }
}

} // namespace device_coverage
