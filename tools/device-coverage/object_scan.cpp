#include "object_scan.h"

#include "archive_reader.h"
#include "mapped_file.h"
#include "message.h"

namespace device_coverage {
namespace {

void scanImage(const Origin& origin, const OffloadEntry& entry, ObjectVisitor& visitor) {
  // Bitcode, assembly and foreign devices' code can be in a container too; they are no code
  // objects.
  if (entry.isHost() || !ElfFile::hasMagic(entry.image))
    return;
  const ElfFile elf(entry.image);
  if (CodeObject::isOne(elf))
    visitor.codeObject(origin, CodeObject(elf, entry.target));
}

void scanContainers(Origin origin, Bytes bytes, ObjectVisitor& visitor) {
  const auto visit = [&](const OffloadContainer& container) {
    origin.container = container.offset;
    origin.entryId.clear();
    visitor.container(origin, container);
    for (const OffloadEntry& entry : container.entries) {
      origin.entryId = entry.id;
      scanImage(origin, entry, visitor);
      releaseMapped(entry.image);
    }
  };
  forEachOffloadContainer(bytes, visit);
}

void scanHostImage(Origin origin, const ElfFile& elf, ObjectVisitor& visitor) {
  visitor.hostImage(origin, elf);
  for (const ElfSection& section : elf.sections()) {
    if (section.header.sh_type == SHT_NOBITS || section.header.sh_size == 0)
      continue;
    // Sections of other names hold fat binaries where a build embeds them itself.
    const Bytes content = elf.content(section);
    if (section.name != ".hip_fatbin" && !beginsOffloadContainer(content))
      continue;
    origin.section = section.name;
    scanContainers(origin, content, visitor);
  }
}

void scanElf(const Origin& origin, Bytes bytes, ObjectVisitor& visitor) {
  const ElfFile elf(bytes);
  if (CodeObject::isOne(elf))
    visitor.codeObject(origin, CodeObject(elf));
  else
    scanHostImage(origin, elf, visitor);
}

} // namespace

std::string Origin::text() const {
  std::string result = file.string();
  if (!member.empty())
    result += "(" + member + ")";
  if (!section.empty())
    result += ", " + section;
  if (container)
    result += fmt::format("{}{}", section.empty() ? ", +" : "+", *container);
  if (!entryId.empty())
    result += ", " + entryId;
  return result;
}

void scanBytes(const Origin& origin, Bytes bytes, ObjectVisitor& visitor) {
  if (ElfFile::hasMagic(bytes))
    return scanElf(origin, bytes, visitor);
  if (beginsOffloadContainer(bytes))
    return scanContainers(origin, bytes, visitor);
  if (!isArchive(bytes))
    throw FormatError("is neither an ELF file nor an archive nor a fat binary");
  forEachArchiveMember(bytes, [&](const std::string& name, Bytes member) {
    Origin within = origin;
    within.member = name;
    if (ElfFile::hasMagic(member))
      scanElf(within, member, visitor);
    releaseMapped(member);
  });
}

void scanObject(const std::filesystem::path& path, const std::string& phase,
                ObjectVisitor& visitor) {
  const MappedFile file(path, phase);
  try {
    scanBytes({.file = path, .member = {}, .section = {}, .container = {}, .entryId = {}},
              file.bytes(), visitor);
  } catch (const FormatError& error) {
    throw Failure({phase, fmt::format("{} {}", path.string(), error.what()),
                   "what follows in this file is not read",
                   "build the file again, or leave it out"});
  }
}

} // namespace device_coverage
