// A fast 64-bit hash that names files by their content. Not cryptographic: equality of content is
// decided by comparing bytes.
#pragma once

#include <string>

#include "bytes.h"

namespace device_coverage {

/// 16 hexadecimal digits.
std::string contentHashText(Bytes bytes);

} // namespace device_coverage
