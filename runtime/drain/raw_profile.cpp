#include "raw_profile.h"

#include "profile_format.h"

namespace device_coverage {
namespace {

uint64_t paddingOf(uint64_t size) {
  return -size % sizeof(uint64_t);
}

bool appendPadded(Buffer& file, const Bytes& bytes) {
  return file.append(bytes.data, bytes.size) && file.resize(file.size() + paddingOf(bytes.size));
}

// Binary IDs: each its length in 64 bits, then its bytes, padded.
uint64_t binaryIdsSize(const CodeObject& object) {
  const uint64_t size = object.binaryId.size();
  return size == 0 ? 0 : sizeof size + size + paddingOf(size);
}

bool appendBinaryIds(const CodeObject& object, Buffer& file) {
  const uint64_t size = object.binaryId.size();
  return size == 0 ||
         (file.append(&size, sizeof size) && appendPadded(file, object.binaryId.view()));
}

// The records as linked, with what their kernels stored into them.
bool appendRecords(const CodeObject& object, [[maybe_unused]] const Buffer& reading, Buffer& file) {
  [[maybe_unused]] const size_t start = file.size();
  if (!appendPadded(file, object.records.view()))
    return false;
#if INSTR_PROF_RAW_VERSION >= 11
  const Bytes stored = partOf(object, reading, kRecordsPart);
  for (size_t at = offsetof(ProfileRecord, OffloadDeviceWaveSize); at < stored.size;
       at += sizeof(ProfileRecord))
    std::memcpy(file.data() + start + at, stored.data + at,
                sizeof(ProfileRecord::OffloadDeviceWaveSize));
#endif
  return true;
}

RawProfileHeader makeHeader(const CodeObject& object) {
  RawProfileHeader header = {};
  header.Magic = INSTR_PROF_RAW_MAGIC_64;
  header.Version = object.rawVersion;
  header.BinaryIdsSize = binaryIdsSize(object);
  header.NumData = functionCount(object);
  header.NumCounters = object.counters().size / object.counterBytes;
  header.PaddingBytesAfterCounters = paddingOf(object.counters().size);
  header.NumBitmapBytes = object.bitmap().size;
  header.PaddingBytesAfterBitmapBytes = paddingOf(object.bitmap().size);
  header.NamesSize = object.names.size();
  header.CountersDelta = object.partDelta[kCountersPart];
  header.BitmapDelta = object.partDelta[kBitmapPart];
  header.NamesDelta = object.namesAddress;
  header.ValueKindLast = IPVK_Last;
#if INSTR_PROF_RAW_VERSION >= 11
  header.NumUniformCounters = object.parts[kUniformCountersPart].size / sizeof(uint64_t);
  header.UniformCountersDelta = object.partDelta[kUniformCountersPart];
#endif
  return header;
}

} // namespace

bool appendRawProfile(const CodeObject& object, const Buffer& reading, Buffer& file) {
  const size_t start = file.size();
  const RawProfileHeader header = makeHeader(object);
  bool complete = file.append(&header, sizeof header) && appendBinaryIds(object, file) &&
                  appendRecords(object, reading, file);
  for (const Part part : {kCountersPart, kBitmapPart, kUniformCountersPart})
    complete = complete && appendPadded(file, partOf(object, reading, part));
  complete = complete && appendPadded(file, object.names.view());
  if (!complete)
    file.resize(start);
  return complete;
}

} // namespace device_coverage
