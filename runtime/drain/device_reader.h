// Copies of a loaded code object's parts between a device and a reading.
#pragma once

#include "hsa_runtime.h"
#include "reading.h"

namespace device_coverage {

class DeviceReader {
public:
  // `base` is the device address of the loaded image.
  DeviceReader(HsaRuntime& hsa, const uint8_t* base) : hsa_(hsa), base_(base) {}

  // One copy, unless parts are far apart in the image.
  HsaStatus read(const CodeObject& object, Buffer& reading);

  uint64_t copies() const { return copies_; }
  uint64_t bytes() const { return bytes_; }

private:
  HsaStatus copy(const DeviceRange& range, uint8_t* to);
  HsaStatus readTogether(const CodeObject& object, const DeviceRange& span, Buffer& reading);

  HsaRuntime& hsa_;
  const uint8_t* base_;
  uint64_t copies_ = 0;
  uint64_t bytes_ = 0;
};

// Writes the counters of a reading to the device, uniform ones and bitmap included.
HsaStatus writeReading(HsaRuntime& hsa, void* base, const CodeObject& object,
                       const Buffer& reading);

} // namespace device_coverage
