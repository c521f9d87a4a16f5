#include "code_object.h"

#include "device_coverage/device_note.h"
#include "profile_format.h"

namespace device_coverage {
namespace {

constexpr uint32_t kBuildIdNote = 3; // NT_GNU_BUILD_ID
constexpr size_t kNoteHeaderSize = offsetof(DeviceCoverageNote, abi);

using ull = unsigned long long;

struct ProfileSections {
  ElfImage::Section records;
  ElfImage::Section counters;
  ElfImage::Section names;
  ElfImage::Section bitmap;
  bool hasBitmap = false;
};

// Nothing found and nothing wrong means not instrumented: an image may carry names alone.
Inspection findSections(const ElfImage& elf, ProfileSections& sections, Reason& reason) {
  const bool records = elf.findSection(kDataSection, sections.records, reason);
  const bool counters =
      reason.empty() && elf.findSection(kCountersSection, sections.counters, reason);
  const bool names = reason.empty() && elf.findSection(kNamesSection, sections.names, reason);
  sections.hasBitmap = reason.empty() && elf.findSection(kBitmapSection, sections.bitmap, reason);
  if (!reason.empty())
    return Inspection::Refused;
  if (!records || !counters || sections.records.size == 0 || sections.counters.size == 0)
    return Inspection::NotInstrumented;
  if (!names) {
    reason.format("it has counters but no section %s", kNamesSection);
    return Inspection::Refused;
  }
  return Inspection::Instrumented;
}

bool hasNote(const ElfImage& elf) {
  bool found = false;
  elf.visitNotes(DEVICE_COVERAGE_NOTE_NAME, DEVICE_COVERAGE_NOTE_TYPE, [&](const Bytes&) {
    found = true;
    return false;
  });
  return found;
}

bool readNote(const ElfImage& elf, CodeObject& object, Reason& reason) {
  uint32_t found = 0;
  bool agree = true;
  DeviceCoverageNote note = {};
  const auto visit = [&](const Bytes& descriptor) {
    DeviceCoverageNote one = {};
    if (descriptor.size < sizeof note - kNoteHeaderSize) {
      agree = false;
      return false;
    }
    std::memcpy(&one.abi, descriptor.data, sizeof note - kNoteHeaderSize);
    agree = found == 0 || std::memcmp(&one.abi, &note.abi, sizeof note - kNoteHeaderSize) == 0;
    note = one;
    ++found;
    return agree;
  };
  elf.visitNotes(DEVICE_COVERAGE_NOTE_NAME, DEVICE_COVERAGE_NOTE_TYPE, visit);
  if (!agree)
    reason.append("its DeviceCoverage notes are damaged or differ");
  else if (found == 0)
    reason.append("it has counters but no DeviceCoverage note, so it was linked without the device "
                  "runtime");
  else if (note.abi != DEVICE_COVERAGE_NOTE_ABI)
    reason.format("its DeviceCoverage note has ABI %u, not %u", note.abi, DEVICE_COVERAGE_NOTE_ABI);
  object.counterBytes = note.counterBytes;
  object.rawVersion = uint64_t{note.rawVersionHigh} << 32 | note.rawVersionLow;
  return reason.empty();
}

bool checkVersion(const CodeObject& object, Reason& reason) {
  const ull version = GET_VERSION(object.rawVersion);
  if (version != INSTR_PROF_RAW_VERSION) {
    reason.format("its device code was compiled for raw-profile version %llu and the drain for %d",
                  version, INSTR_PROF_RAW_VERSION);
    return false;
  }
  const bool byteCounters = (object.rawVersion & VARIANT_MASK_BYTE_COVERAGE) != 0;
  if (object.counterBytes != (byteCounters ? 1u : 8u)) {
    reason.format("its note states counters of %u bytes with version word 0x%llx",
                  object.counterBytes, static_cast<ull>(object.rawVersion));
    return false;
  }
  return true;
}

bool isInside(uint64_t offset, uint64_t size, uint64_t sectionSize) {
  return offset <= sectionSize && size <= sectionSize - offset;
}

// One record's counters and bitmap lie in their sections. The record's pointers are relative to it.
bool checkRecord(const CodeObject& object, size_t index, Reason& reason) {
  ProfileRecord record;
  const uint64_t position = index * sizeof record;
  object.records.view().read(position, record);
  const uint64_t counterOffset = record.CounterPtr + position - object.countersDelta;
  const uint64_t counterSize = uint64_t{record.NumCounters} * object.counterBytes;
  if (record.NumCounters == 0 || counterOffset % object.counterBytes != 0 ||
      !isInside(counterOffset, counterSize, object.counters.size)) {
    reason.format("its record %zu has %u counters at offset %lld of a section of %llu bytes", index,
                  record.NumCounters, static_cast<long long>(counterOffset),
                  static_cast<ull>(object.counters.size));
    return false;
  }
  const uint64_t bitmapOffset = record.BitmapPtr + position - object.bitmapDelta;
  if (record.NumBitmapBytes != 0 &&
      !isInside(bitmapOffset, record.NumBitmapBytes, object.bitmap.size)) {
    reason.format("its record %zu has %u bitmap bytes at offset %lld of a section of %llu bytes",
                  index, record.NumBitmapBytes, static_cast<long long>(bitmapOffset),
                  static_cast<ull>(object.bitmap.size));
    return false;
  }
  for (const uint16_t sites : record.NumValueSites) {
    if (sites != 0) {
      reason.format("its record %zu has value-profiling sites, which are not drained", index);
      return false;
    }
  }
  return true;
}

bool checkRecords(const CodeObject& object, Reason& reason) {
  if (object.records.size() % sizeof(ProfileRecord) != 0) {
    reason.format("its section %s of %zu bytes is not a whole number of records of %zu bytes",
                  kDataSection, object.records.size(), sizeof(ProfileRecord));
    return false;
  }
  if (object.counters.size % object.counterBytes != 0) {
    reason.format("its section %s of %llu bytes is not a whole number of counters of %u bytes",
                  kCountersSection, static_cast<ull>(object.counters.size), object.counterBytes);
    return false;
  }
  uint64_t counters = 0;
  for (size_t i = 0; i < functionCount(object); ++i) {
    if (!checkRecord(object, i, reason))
      return false;
    ProfileRecord record;
    object.records.view().read(i * sizeof record, record);
    counters += record.NumCounters;
  }
  // The device runtime for covered-or-not counters in an image whose counters are exact.
  if (object.counterBytes == 1 && object.counters.size >= counters * sizeof(uint64_t)) {
    reason.format("its note states counters of 1 byte, but %llu counters have %llu bytes",
                  static_cast<ull>(counters), static_cast<ull>(object.counters.size));
    return false;
  }
  return true;
}

bool readSections(const ElfImage& elf, const ProfileSections& sections, CodeObject& object,
                  Reason& reason) {
  if (sections.records.bytes.size != sections.records.size ||
      sections.names.bytes.size != sections.names.size) {
    reason.append("its records or names have no bytes in the file");
    return false;
  }
  if (!object.records.assign(sections.records.bytes) ||
      !object.names.assign(sections.names.bytes)) {
    reason.append("there is no memory for its records");
    return false;
  }
  object.countersDelta = sections.counters.address - sections.records.address;
  object.namesAddress = sections.names.address;
  object.counters = {sections.counters.address - elf.lowestAddress(), sections.counters.size};
  if (sections.hasBitmap) {
    object.bitmapDelta = sections.bitmap.address - sections.records.address;
    object.bitmap = {sections.bitmap.address - elf.lowestAddress(), sections.bitmap.size};
  }
  return true;
}

void readBuildId(const ElfImage& elf, CodeObject& object) {
  elf.visitNotes("GNU", kBuildIdNote, [&](const Bytes& descriptor) {
    object.buildId.assign(descriptor);
    return false;
  });
}

} // namespace

size_t functionCount(const CodeObject& object) {
  return object.records.size() / sizeof(ProfileRecord);
}

Inspection inspectCodeObject(const Bytes& file, CodeObject& object, Reason& reason) {
  ElfImage elf;
  if (!elf.open(file, reason))
    return Inspection::Refused;
  ProfileSections sections;
  const Inspection found = findSections(elf, sections, reason);
  if (found == Inspection::NotInstrumented && !elf.hasSections() && hasNote(elf)) {
    reason.append("it carries a DeviceCoverage note but its section headers were stripped");
    return Inspection::Refused;
  }
  if (found != Inspection::Instrumented)
    return found;
  readBuildId(elf, object);
  const bool sound = targetIdFromElf(elf.abiVersion(), elf.flags(), object.targetId, reason) &&
                     readNote(elf, object, reason) && checkVersion(object, reason) &&
                     readSections(elf, sections, object, reason) && checkRecords(object, reason);
  return sound ? Inspection::Instrumented : Inspection::Refused;
}

bool isSameCode(const CodeObject& one, const CodeObject& other) {
  return one.targetId == other.targetId && one.rawVersion == other.rawVersion &&
         one.countersDelta == other.countersDelta && one.bitmapDelta == other.bitmapDelta &&
         one.counters.size == other.counters.size && one.bitmap.size == other.bitmap.size &&
         one.buildId.view().equals(other.buildId.view()) &&
         one.records.view().equals(other.records.view()) &&
         one.names.view().equals(other.names.view());
}

} // namespace device_coverage

int deviceCoverageInspectFuzzed(const uint8_t* data, size_t size) {
  device_coverage::CodeObject object;
  device_coverage::Reason reason;
  device_coverage::inspectCodeObject(device_coverage::Bytes{data, size}, object, reason);
  return 0;
}
