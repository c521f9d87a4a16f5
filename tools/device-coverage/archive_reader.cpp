#include "archive_reader.h"

#include <ar.h>
#include <charconv>

namespace device_coverage {
namespace {

constexpr std::string_view kThinMagic = "!<thin>\n";

std::string_view trimmed(std::string_view field) {
  const size_t last = field.find_last_not_of(' ');
  return last == std::string_view::npos ? std::string_view() : field.substr(0, last + 1);
}

uint64_t decimal(std::string_view field, std::string_view what) {
  field = trimmed(field);
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size())
    throw FormatError(fmt::format("{} `{}` of an archive member is not a number", what, field));
  return value;
}

/// Long names stand in a table of their own; `/<offset>` refers to it.
std::string memberName(std::string_view field, std::string_view longNames) {
  field = trimmed(field);
  if (field.size() > 1 && field.front() == '/') {
    const uint64_t offset = decimal(field.substr(1), "name offset");
    if (offset >= longNames.size())
      throw FormatError(
          fmt::format("an archive member's name is at offset {} of {}", offset, longNames.size()));
    const std::string_view rest = longNames.substr(offset);
    return std::string(rest.substr(0, rest.find("/\n")));
  }
  if (field.ends_with('/'))
    field.remove_suffix(1);
  return std::string(field);
}

} // namespace

bool isArchive(Bytes bytes) {
  return startsWith(bytes, ARMAG) || startsWith(bytes, kThinMagic);
}

void forEachArchiveMember(Bytes archive,
                          const std::function<void(const std::string& name, Bytes)>& visit) {
  if (startsWith(archive, kThinMagic))
    throw FormatError("is a thin archive, whose members are in other files");
  std::string_view longNames;
  uint64_t offset = SARMAG;
  while (offset < archive.size()) {
    const auto header = readAt<ar_hdr>(archive, offset, "an archive member's header");
    if (std::string_view(header.ar_fmag, sizeof(header.ar_fmag)) != ARFMAG)
      throw FormatError(fmt::format("has no archive member at offset {}", offset));
    const uint64_t size = decimal({header.ar_size, sizeof(header.ar_size)}, "size");
    const Bytes content = slice(archive, offset + sizeof(header), size, "an archive member");
    const std::string_view field = trimmed({header.ar_name, sizeof(header.ar_name)});
    if (field == "//")
      longNames = asText(content);
    else if (field != "/" && field != "/SYM64/")
      visit(memberName(field, longNames), content);
    offset += sizeof(header) + size + size % 2; // members begin at even offsets
  }
}

} // namespace device_coverage
