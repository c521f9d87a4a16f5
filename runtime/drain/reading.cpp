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

} // namespace

bool clearReading(const CodeObject& object, Buffer& reading) {
  if (!reading.resize(0) || !reading.resize(readingSize(object)))
    return false;
  if (object.counterBytes == 1)
    std::memset(reading.data(), kNotCovered, object.counters.size);
  return true;
}

void uniteReading(const CodeObject& object, Buffer& reading, const Buffer& other) {
  uint8_t* sum = reading.data();
  const uint8_t* added = other.data();
  if (object.counterBytes == 1) {
    for (size_t i = 0; i < object.counters.size; ++i)
      sum[i] = static_cast<uint8_t>(sum[i] & added[i]);
  } else {
    addCounts(sum, added, object.counters.size);
  }
  for (size_t i = object.counters.size; i < readingSize(object); ++i)
    sum[i] = static_cast<uint8_t>(sum[i] | added[i]);
}

} // namespace device_coverage
