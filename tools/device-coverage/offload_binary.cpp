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
  uint64_t entrySize;
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

constexpr uint32_t kVersion = 1;

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

std::map<std::string, std::string> readStrings(Bytes binary, const Entry& entry) {
  if (entry.stringCount > binary.size() / sizeof(StringEntry))
    throw FormatError(fmt::format("is an offload binary with {} strings", entry.stringCount));
  const Bytes table = slice(binary, entry.stringOffset, entry.stringCount * sizeof(StringEntry),
                            "the string table of an offload binary");
  std::map<std::string, std::string> strings;
  for (uint64_t i = 0; i < entry.stringCount; ++i) {
    const auto string =
        readAt<StringEntry>(table, i * sizeof(StringEntry), "a string of an offload binary");
    strings.emplace(stringAt(binary, string.keyOffset, "a key of an offload binary"),
                    stringAt(binary, string.valueOffset, "a value of an offload binary"));
  }
  return strings;
}

} // namespace

uint64_t readOffloadBinary(Bytes bytes, std::vector<OffloadEntry>& entries) {
  const auto header = readAt<Header>(bytes, 0, "the header of an offload binary");
  if (header.version != kVersion)
    throw FormatError(
        fmt::format("is an offload binary of version {}, known is {}", header.version, kVersion));
  if (header.size < sizeof(Header))
    throw FormatError(fmt::format("is an offload binary that states {} bytes", header.size));
  const Bytes binary = slice(bytes, 0, header.size, "the offload binary");
  const auto entry = readAt<Entry>(binary, header.entryOffset, "the entry of an offload binary");
  const auto strings = readStrings(binary, entry);
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
  entries.push_back(std::move(result));
  return header.size;
}

} // namespace device_coverage
