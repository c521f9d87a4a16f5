// A reading: what kernels change in one code object, as it was at one moment, part after part.
//
// Readings of one code object are united over agents and over lifetimes: exact counters are added,
// covered-or-not counters (0xFF until covered, then 0) are and-ed, all else is or-ed.
#pragma once

#include "code_object.h"

namespace device_coverage {

uint64_t readingSize(const CodeObject& object);

// Where a part starts in a reading.
uint64_t partOffset(const CodeObject& object, Part part);

// A part's bytes in a reading.
Bytes partOf(const CodeObject& object, const Buffer& reading, Part part);

// Makes `reading` what a code object that never ran has. False when there is no memory.
bool clearReading(const CodeObject& object, Buffer& reading);

// Unites `other` into `reading`; both have the size of the object's readings.
void uniteReading(const CodeObject& object, Buffer& reading, const Buffer& other);

} // namespace device_coverage
