#include "offload_binary.h"

#include <map>

#include "offload_container.h"

namespace device_coverage {
namespace {

struct Header {
  char magic[4];
  uint32_t version;
  uint64_t size;
  uint64_t entryOffset;
  uint64_t entryExtent; ///< version 1: size of the one entry; version 2: number of entries
};

struct Entry {
  uint16_t imageKind;
  uint16_t offloadKind;
  uint32_t flags;
  uint64_t stringOffset;
  uint64_t stringCount;
  uint64_t imageOffset;
  uint64_t imageSize;
};

struct StringEntry {
  uint64_t keyOffset;
  uint64_t valueOffset;
};

// One image; zero-terminated values.
constexpr uint32_t kFirstVersion = 1;
// Several images; each value's size follows its offset.
constexpr uint32_t kLastVersion = 2;
constexpr uint64_t kStringEntrySize2 = 24;

std::string kindName(uint16_t kind) {
  switch (kind) {
  case 1:
    return "openmp";
  case 2:
    return "cuda";
  case 4:
    return "hip";
  case 8:
    return "sycl";
  default:
    return fmt::format("kind{}", kind);
  }
}

std::map<std::string, std::string> readStrings(Bytes binary, const Entry& entry, uint32_t version) {
  const uint64_t entrySize = version == kFirstVersion ? sizeof(StringEntry) : kStringEntrySize2;
  if (entry.stringCount > binary.size() / entrySize)
    throw FormatError(fmt::format("is an offload binary with {} strings", entry.stringCount));
  const Bytes table = slice(binary, entry.stringOffset, entry.stringCount * entrySize,
                            "the string table of an offload binary");
  constexpr std::string_view kValue = "a value of an offload binary";
  std::map<std::string, std::string> strings;
  for (uint64_t i = 0; i < entry.stringCount; ++i) {
    const Bytes place = table.subspan(i * entrySize, entrySize);
    const auto string = readAt<StringEntry>(place, 0, "a string of an offload binary");
    const std::string_view value =
        version == kFirstVersion
            ? stringAt(binary, string.valueOffset, kValue)
            : asText(slice(binary, string.valueOffset,
                           readAt<uint64_t>(place, sizeof(StringEntry), kValue), kValue));
    strings.emplace(stringAt(binary, string.keyOffset, "a key of an offload binary"), value);
  }
  return strings;
}

OffloadEntry readEntry(Bytes binary, uint64_t offset, uint32_t version) {
  const auto entry = readAt<Entry>(binary, offset, "the entry of an offload binary");
  const auto strings = readStrings(binary, entry, version);
  const auto value = [&](const char* key) {
    const auto found = strings.find(key);
    return found == strings.end() ? std::string() : found->second;
  };
  OffloadEntry result;
  result.kind = kindName(entry.offloadKind);
  result.id = fmt::format("{}-{}--{}", result.kind, value("triple"), value("arch"));
  result.target = TargetId::parse(value("arch"));
  result.image =
      slice(binary, entry.imageOffset, entry.imageSize, "the image of an offload binary");
  return result;
}

} // namespace

uint64_t readOffloadBinary(Bytes bytes, std::vector<OffloadEntry>& entries) {
  const auto header = readAt<Header>(bytes, 0, "the header of an offload binary");
  if (header.version < kFirstVersion || header.version > kLastVersion)
    throw FormatError(fmt::format("is an offload binary of version {}, known are {} and {}",
                                  header.version, kFirstVersion, kLastVersion));
  if (header.size < sizeof(Header))
    throw FormatError(fmt::format("is an offload binary that states {} bytes", header.size));
  const Bytes binary = slice(bytes, 0, header.size, "the offload binary");
  const uint64_t count = header.version == kFirstVersion ? 1 : header.entryExtent;
  if (count > binary.size() / sizeof(Entry))
    throw FormatError(fmt::format("is an offload binary with {} images", count));
  slice(binary, header.entryOffset, count * sizeof(Entry), "the entries of an offload binary");
  for (uint64_t i = 0; i < count; ++i)
    entries.push_back(readEntry(binary, header.entryOffset + i * sizeof(Entry), header.version));
  return header.size;
}

} // namespace device_coverage
