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
  const uint64_t size = object.buildId.size();
  return size == 0 ? 0 : sizeof size + size + paddingOf(size);
}

bool appendBinaryIds(const CodeObject& object, Buffer& file) {
  const uint64_t size = object.buildId.size();
  return size == 0 ||
         (file.append(&size, sizeof size) && appendPadded(file, object.buildId.view()));
}

RawProfileHeader makeHeader(const CodeObject& object) {
  RawProfileHeader header = {};
  header.Magic = INSTR_PROF_RAW_MAGIC_64;
  header.Version = object.rawVersion;
  header.BinaryIdsSize = binaryIdsSize(object);
  header.NumData = functionCount(object);
  header.NumCounters = object.counters.size / object.counterBytes;
  header.PaddingBytesAfterCounters = paddingOf(object.counters.size);
  header.NumBitmapBytes = object.bitmap.size;
  header.PaddingBytesAfterBitmapBytes = paddingOf(object.bitmap.size);
  header.NamesSize = object.names.size();
  header.CountersDelta = object.countersDelta;
  header.BitmapDelta = object.bitmapDelta;
  header.NamesDelta = object.namesAddress;
  header.ValueKindLast = IPVK_Last;
  return header;
}

} // namespace

bool appendRawProfile(const CodeObject& object, const Buffer& reading, Buffer& file) {
  const size_t start = file.size();
  const RawProfileHeader header = makeHeader(object);
  const bool complete = file.append(&header, sizeof header) && appendBinaryIds(object, file) &&
                        appendPadded(file, object.records.view()) &&
                        appendPadded(file, readingCounters(object, reading)) &&
                        appendPadded(file, readingBitmap(object, reading)) &&
                        appendPadded(file, object.names.view());
  if (!complete)
    file.resize(start);
  return complete;
}

} // namespace device_coverage
