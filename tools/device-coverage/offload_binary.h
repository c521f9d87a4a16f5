// LLVM's offload binaries, as clang-offload-packager and the new offload driver write them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "bytes.h"

namespace device_coverage {

struct OffloadEntry;

inline constexpr std::string_view kOffloadBinaryMagic = "\x10\xff\x10\xad";

/// Reads the binary at the begin of `bytes` into `entries` and returns its size. Throws FormatError
/// for versions other than 1 (one image) and 2 (several, LLVM 23) and for offsets outside of it.
uint64_t readOffloadBinary(Bytes bytes, std::vector<OffloadEntry>& entries);

} // namespace device_coverage
