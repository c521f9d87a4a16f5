// A reading: the counters of one code object as they were at one moment, followed by its bitmap.
//
// Readings of one code object are united over agents and over lifetimes: exact counters are added,
// covered-or-not counters (0xFF until covered, then 0) are and-ed, bitmaps are or-ed.
#pragma once

#include "code_object.h"

namespace device_coverage {

inline uint64_t readingSize(const CodeObject& object) {
  return object.counters.size + object.bitmap.size;
}
inline Bytes readingCounters(const CodeObject& object, const Buffer& reading) {
  return Bytes{reading.data(), static_cast<size_t>(object.counters.size)};
}
inline Bytes readingBitmap(const CodeObject& object, const Buffer& reading) {
  return Bytes{reading.data() + object.counters.size, static_cast<size_t>(object.bitmap.size)};
}

// Makes `reading` what a code object that never ran has. False when there is no memory.
bool clearReading(const CodeObject& object, Buffer& reading);

// Unites `other` into `reading`; both have the size of the object's readings.
void uniteReading(const CodeObject& object, Buffer& reading, const Buffer& other);

} // namespace device_coverage
