#include "reading.h"

namespace device_coverage {
namespace {

constexpr uint8_t kNotCovered = 0xff;

void addCounts(uint8_t* sum, const uint8_t* other, size_t size) {
  for (size_t i = 0; i + sizeof(uint64_t) <= size; i += sizeof(uint64_t)) {
    uint64_t one;
    uint64_t two;
    std::memcpy(&one, sum + i, sizeof one);
    std::memcpy(&two, other + i, sizeof two);
    one += two;
    std::memcpy(sum + i, &one, sizeof one);
  }
}

void andBytes(uint8_t* sum, const uint8_t* other, size_t size) {
  for (size_t i = 0; i < size; ++i)
    sum[i] = static_cast<uint8_t>(sum[i] & other[i]);
}

void orBytes(uint8_t* sum, const uint8_t* other, size_t size) {
  for (size_t i = 0; i < size; ++i)
    sum[i] = static_cast<uint8_t>(sum[i] | other[i]);
}

} // namespace

uint64_t readingSize(const CodeObject& object) {
  return partOffset(object, kPartCount);
}

uint64_t partOffset(const CodeObject& object, Part part) {
  uint64_t offset = 0;
  for (size_t before = 0; before < part; ++before)
    offset += object.parts[before].size;
  return offset;
}

Bytes partOf(const CodeObject& object, const Buffer& reading, Part part) {
  return Bytes{reading.data() + partOffset(object, part),
               static_cast<size_t>(object.parts[part].size)};
}

bool clearReading(const CodeObject& object, Buffer& reading) {
  if (!reading.resize(0) || !reading.resize(readingSize(object)))
    return false;
  if (object.counterBytes == 1)
    std::memset(reading.data(), kNotCovered, object.counters().size);
  return true;
}

void uniteReading(const CodeObject& object, Buffer& reading, const Buffer& other) {
  for (const Part part : {kCountersPart, kUniformCountersPart, kBitmapPart, kRecordsPart}) {
    const Bytes added = partOf(object, other, part);
    uint8_t* sum = reading.data() + partOffset(object, part);
    if (part == kCountersPart && object.counterBytes == 1)
      andBytes(sum, added.data, added.size);
    else if (part == kCountersPart || part == kUniformCountersPart)
      addCounts(sum, added.data, added.size);
    else
      orBytes(sum, added.data, added.size);
  }
}

} // namespace device_coverage
