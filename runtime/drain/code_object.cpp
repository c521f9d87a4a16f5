#include "code_object.h"

#include "device_coverage/device_note.h"
#include "profile_format.h"

namespace device_coverage {
namespace {

constexpr uint32_t kBuildIdNote = 3; // NT_GNU_BUILD_ID
constexpr size_t kNoteHeaderSize = offsetof(DeviceCoverageNote, abi);

using ull = unsigned long long;

// Null: this toolchain has no such part.
constexpr const char* kPartSections[kPartCount] = {kCountersSection, kUniformCountersSection,
                                                   kBitmapSection, kChangingRecordsSection};

struct ProfileSections {
  ElfImage::Section records;
  ElfImage::Section names;
  ElfImage::Section parts[kPartCount];
  bool has[kPartCount] = {};
};

// Nothing found and nothing wrong means not instrumented: an image may carry names alone.
Inspection findSections(const ElfImage& elf, ProfileSections& sections, Reason& reason) {
  const bool records = elf.findSection(kDataSection, sections.records, reason);
  const bool names = reason.empty() && elf.findSection(kNamesSection, sections.names, reason);
  for (size_t part = 0; part < kPartCount && reason.empty(); ++part)
    if (kPartSections[part] != nullptr)
      sections.has[part] = elf.findSection(kPartSections[part], sections.parts[part], reason);
  if (!reason.empty())
    return Inspection::Refused;
  if (!records || !sections.has[kCountersPart] || sections.records.size == 0 ||
      sections.parts[kCountersPart].size == 0)
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

// The part of a record, which its `pointer` gives relative to the record, lies in its section.
bool checkPart(const CodeObject& object, Part part, size_t index, uint64_t pointer, uint64_t count,
               uint64_t bytesEach, Reason& reason) {
  const uint64_t offset = pointer + index * sizeof(ProfileRecord) - object.partDelta[part];
  const uint64_t sectionSize = object.parts[part].size;
  if (offset % bytesEach == 0 && isInside(offset, count * bytesEach, sectionSize))
    return true;
  reason.format("its record %zu has %llu entries at offset %lld of the %llu bytes of section %s",
                index, static_cast<ull>(count), static_cast<long long>(offset),
                static_cast<ull>(sectionSize), kPartSections[part]);
  return false;
}

bool checkRecord(const CodeObject& object, size_t index, const ProfileRecord& record,
                 Reason& reason) {
  if (record.NumCounters == 0) {
    reason.format("its record %zu has no counters", index);
    return false;
  }
  if (!checkPart(object, kCountersPart, index, record.CounterPtr, record.NumCounters,
                 object.counterBytes, reason))
    return false;
#if INSTR_PROF_RAW_VERSION >= 11
  if (object.parts[kUniformCountersPart].size != 0 && record.UniformCounterPtr != 0 &&
      !checkPart(object, kUniformCountersPart, index, record.UniformCounterPtr, record.NumCounters,
                 sizeof(uint64_t), reason))
    return false;
#endif
  if (record.NumBitmapBytes != 0 &&
      !checkPart(object, kBitmapPart, index, record.BitmapPtr, record.NumBitmapBytes, 1, reason))
    return false;
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
  if (object.counters().size % object.counterBytes != 0) {
    reason.format("its section %s of %llu bytes is not a whole number of counters of %u bytes",
                  kCountersSection, static_cast<ull>(object.counters().size), object.counterBytes);
    return false;
  }
  uint64_t counters = 0;
  for (size_t i = 0; i < functionCount(object); ++i) {
    ProfileRecord record;
    object.records.view().read(i * sizeof record, record);
    if (!checkRecord(object, i, record, reason))
      return false;
    counters += record.NumCounters;
  }
  // The device runtime for covered-or-not counters in an image whose counters are exact.
  if (object.counterBytes == 1 && object.counters().size >= counters * sizeof(uint64_t)) {
    reason.format("its note states counters of 1 byte, but %llu counters have %llu bytes",
                  static_cast<ull>(counters), static_cast<ull>(object.counters().size));
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
  object.namesAddress = sections.names.address;
  for (size_t part = 0; part < kPartCount; ++part) {
    if (!sections.has[part])
      continue;
    const ElfImage::Section& section = sections.parts[part];
    object.partDelta[part] = section.address - sections.records.address;
    object.parts[part] = {section.address - elf.lowestAddress(), section.size};
  }
  return true;
}

// Two independent 64-bit hashes of all bytes.
void hashContent(const Bytes& file, uint64_t (&hash)[2]) {
  constexpr uint64_t kMultipliers[2] = {0x9ddfea08eb382d69, 0xc2b2ae3d27d4eb4f};
  for (size_t i = 0; i < 2; ++i)
    hash[i] = file.size + i;
  for (size_t at = 0; at < file.size; at += sizeof(uint64_t)) {
    uint64_t word = 0;
    const size_t left = file.size - at;
    std::memcpy(&word, file.data + at, left < sizeof word ? left : sizeof word);
    for (size_t i = 0; i < 2; ++i) {
      hash[i] = (hash[i] ^ word) * kMultipliers[i];
      hash[i] ^= hash[i] >> 29;
    }
  }
}

void readBinaryId(const ElfImage& elf, const Bytes& file, CodeObject& object) {
  elf.visitNotes("GNU", kBuildIdNote, [&](const Bytes& descriptor) {
    object.binaryId.assign(descriptor);
    return false;
  });
  if (object.binaryId.size() != 0)
    return;
  uint64_t hash[2];
  hashContent(file, hash);
  object.binaryId.append(hash, sizeof hash);
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
  readBinaryId(elf, file, object);
  const bool sound = targetIdFromElf(elf.abiVersion(), elf.flags(), object.targetId, reason) &&
                     readNote(elf, object, reason) && checkVersion(object, reason) &&
                     readSections(elf, sections, object, reason) && checkRecords(object, reason);
  return sound ? Inspection::Instrumented : Inspection::Refused;
}

bool isSameCode(const CodeObject& one, const CodeObject& other) {
  for (size_t part = 0; part < kPartCount; ++part)
    if (one.partDelta[part] != other.partDelta[part] ||
        one.parts[part].size != other.parts[part].size)
      return false;
  return one.targetId == other.targetId && one.rawVersion == other.rawVersion &&
         one.binaryId.view().equals(other.binaryId.view()) &&
         one.records.view().equals(other.records.view()) &&
         one.names.view().equals(other.names.view());
}

} // namespace device_coverage
