#include "device_reader.h"

#include <algorithm>

namespace device_coverage {
namespace {

// Up to this much between counters and bitmap is copied along rather than copying twice.
constexpr uint64_t kWidestGap = 64 << 10;

DeviceRange spanOf(const CodeObject& object) {
  const uint64_t countersEnd = object.counters.offset + object.counters.size;
  const uint64_t bitmapEnd = object.bitmap.offset + object.bitmap.size;
  const uint64_t begin = std::min(object.counters.offset, object.bitmap.offset);
  return DeviceRange{begin, std::max(countersEnd, bitmapEnd) - begin};
}

} // namespace

HsaStatus DeviceReader::readRange(const DeviceRange& range, uint8_t* to) {
  if (range.size == 0)
    return kHsaSuccess;
  ++copies_;
  bytes_ += range.size;
  return hsa_.copy(to, base_ + range.offset, range.size);
}

HsaStatus DeviceReader::readTogether(const CodeObject& object, const DeviceRange& span,
                                     Buffer& reading) {
  Buffer both;
  if (!both.resize(span.size))
    return kHsaErrorOutOfResources;
  const HsaStatus status = readRange(span, both.data());
  std::memcpy(reading.data(), both.data() + (object.counters.offset - span.offset),
              object.counters.size);
  std::memcpy(reading.data() + object.counters.size,
              both.data() + (object.bitmap.offset - span.offset), object.bitmap.size);
  return status;
}

HsaStatus DeviceReader::read(const CodeObject& object, Buffer& reading) {
  if (!reading.resize(readingSize(object)))
    return kHsaErrorOutOfResources;
  if (object.bitmap.size != 0) {
    const DeviceRange span = spanOf(object);
    if (span.size <= readingSize(object) + kWidestGap)
      return readTogether(object, span, reading);
  }
  const HsaStatus status = readRange(object.counters, reading.data());
  return status == kHsaSuccess ? readRange(object.bitmap, reading.data() + object.counters.size)
                               : status;
}

HsaStatus writeReading(HsaRuntime& hsa, void* base, const CodeObject& object,
                       const Buffer& reading) {
  auto* image = static_cast<uint8_t*>(base);
  const Bytes counters = readingCounters(object, reading);
  const Bytes bitmap = readingBitmap(object, reading);
  const HsaStatus status = hsa.copy(image + object.counters.offset, counters.data, counters.size);
  if (status != kHsaSuccess || bitmap.size == 0)
    return status;
  return hsa.copy(image + object.bitmap.offset, bitmap.data, bitmap.size);
}

} // namespace device_coverage
