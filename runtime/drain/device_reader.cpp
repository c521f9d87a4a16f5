#include "device_reader.h"

#include <algorithm>

namespace device_coverage {
namespace {

// Up to this much between parts is copied along rather than copying twice.
constexpr uint64_t kWidestGap = 64 << 10;

constexpr Part kAllParts[] = {kCountersPart, kUniformCountersPart, kBitmapPart, kRecordsPart};

// The smallest range that holds all parts.
DeviceRange spanOf(const CodeObject& object) {
  uint64_t begin = object.counters().offset;
  uint64_t end = begin;
  for (const DeviceRange& part : object.parts) {
    if (part.size == 0)
      continue;
    begin = std::min(begin, part.offset);
    end = std::max(end, part.offset + part.size);
  }
  return DeviceRange{begin, end - begin};
}

} // namespace

HsaStatus DeviceReader::copy(const DeviceRange& range, uint8_t* to) {
  if (range.size == 0)
    return kHsaSuccess;
  ++copies_;
  bytes_ += range.size;
  return hsa_.copy(to, base_ + range.offset, range.size);
}

HsaStatus DeviceReader::readTogether(const CodeObject& object, const DeviceRange& span,
                                     Buffer& reading) {
  Buffer whole;
  if (!whole.resize(span.size))
    return kHsaErrorOutOfResources;
  const HsaStatus status = copy(span, whole.data());
  for (const Part part : kAllParts) {
    const DeviceRange& range = object.parts[part];
    if (range.size != 0)
      std::memcpy(reading.data() + partOffset(object, part),
                  whole.data() + (range.offset - span.offset), range.size);
  }
  return status;
}

HsaStatus DeviceReader::read(const CodeObject& object, Buffer& reading) {
  if (!reading.resize(readingSize(object)))
    return kHsaErrorOutOfResources;
  const DeviceRange span = spanOf(object);
  if (span.size == object.counters().size)
    return copy(object.counters(), reading.data());
  if (span.size <= readingSize(object) + kWidestGap)
    return readTogether(object, span, reading);
  HsaStatus status = kHsaSuccess;
  for (const Part part : kAllParts)
    if (status == kHsaSuccess)
      status = copy(object.parts[part], reading.data() + partOffset(object, part));
  return status;
}

HsaStatus writeReading(HsaRuntime& hsa, void* base, const CodeObject& object,
                       const Buffer& reading) {
  auto* image = static_cast<uint8_t*>(base);
  for (const Part part : {kCountersPart, kUniformCountersPart, kBitmapPart}) {
    const Bytes bytes = partOf(object, reading, part);
    if (bytes.size == 0)
      continue;
    const HsaStatus status = hsa.copy(image + object.parts[part].offset, bytes.data, bytes.size);
    if (status != kHsaSuccess)
      return status;
  }
  return kHsaSuccess;
}

} // namespace device_coverage
