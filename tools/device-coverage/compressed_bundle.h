// Compressed offload bundles (`CCOB`), versions 1 to 3, with zlib or zstd.
#pragma once

#include <cstdint>
#include <string_view>

#include "bytes.h"

namespace device_coverage {

inline constexpr std::string_view kCompressedBundleMagic = "CCOB";

enum class Compression : uint16_t { Zlib = 0, Zstd = 1 };

struct CompressedBundleHeader {
  uint16_t version = 0;
  Compression compression = Compression::Zlib;
  uint64_t headerSize = 0;
  uint64_t totalSize = 0; ///< header included; 0 in version 1, which does not state it
  uint64_t uncompressedSize = 0;
};

/// Reads the header at the begin of `bytes`. Throws FormatError for unknown versions and methods
/// and for sizes that do not fit into `bytes`.
CompressedBundleHeader readCompressedBundleHeader(Bytes bytes);

/// Decompresses piece by piece into an open file and returns the number of compressed bytes that
/// were used. Throws FormatError when the stream is damaged or cut, or when its size is not
/// `expectedSize`.
uint64_t decompressTo(int fileDescriptor, Compression compression, Bytes compressed,
                      uint64_t expectedSize);

} // namespace device_coverage
