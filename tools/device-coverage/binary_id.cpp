#include "binary_id.h"

#include <algorithm>
#include <array>

#include "mapped_file.h"

namespace device_coverage {
namespace {

std::string hexText(Bytes bytes) {
  std::string text;
  for (const std::byte byte : bytes)
    text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
  return text;
}

std::string hashText(Bytes file) {
  constexpr std::array<uint64_t, 2> kMultipliers = {0x9ddfea08eb382d69, 0xc2b2ae3d27d4eb4f};
  std::array<uint64_t, 2> hash = {file.size(), file.size() + 1};
  for (size_t at = 0; at < file.size(); at += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, file.data() + at, std::min(file.size() - at, sizeof word));
    for (size_t i = 0; i < hash.size(); ++i) {
      hash[i] = (hash[i] ^ word) * kMultipliers[i];
      hash[i] ^= hash[i] >> 29;
    }
  }
  return hexText(std::as_bytes(std::span(hash)));
}

} // namespace

std::string binaryIdText(const ElfFile& file) {
  const std::string buildId = file.buildId();
  return buildId.empty() ? hashText(file.bytes()) : buildId;
}

std::set<std::string> idsWithoutObject(std::set<std::string> ids,
                                       const std::vector<std::filesystem::path>& codeObjects) {
  for (const std::filesystem::path& path : codeObjects) {
    const MappedFile file(path, "objects");
    ids.erase(binaryIdText(ElfFile(file.bytes())));
  }
  return ids;
}

} // namespace device_coverage
