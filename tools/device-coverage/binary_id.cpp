#include "binary_id.h"

#include <algorithm>
#include <array>
#include <optional>

#include "mapped_file.h"

namespace device_coverage {
namespace {

constexpr uint32_t kBuildIdNote = 3; // NT_GNU_BUILD_ID
constexpr uint64_t kNoteAlignment = 4;

std::string hexText(Bytes bytes) {
  std::string text;
  for (const std::byte byte : bytes)
    text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
  return text;
}

uint64_t aligned(uint64_t size) {
  return (size + kNoteAlignment - 1) / kNoteAlignment * kNoteAlignment;
}

std::optional<std::string> buildIdIn(Bytes notes) {
  for (uint64_t at = 0; at + sizeof(Elf64_Nhdr) <= notes.size();) {
    const auto note = readAt<Elf64_Nhdr>(notes, at, "a note");
    const uint64_t name = at + sizeof note;
    const uint64_t descriptor = name + aligned(note.n_namesz);
    if (note.n_type == kBuildIdNote && asText(slice(notes, name, note.n_namesz, "a note's name")) ==
                                           std::string_view("GNU", sizeof "GNU"))
      return hexText(slice(notes, descriptor, note.n_descsz, "the build ID"));
    at = descriptor + aligned(note.n_descsz);
  }
  return std::nullopt;
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
  for (const ElfSection& section : file.sections())
    if (section.header.sh_type == SHT_NOTE)
      if (const auto buildId = buildIdIn(file.content(section)))
        return *buildId;
  return hashText(file.bytes());
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
