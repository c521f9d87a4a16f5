// Compressed offload bundles (`CCOB`), versions 1 to 3, with zlib or zstd.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "bytes.h"
#include "mapped_file.h"

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

/// Decompresses one bundle after another: in memory up to a fixed size, which does not grow with
/// the file, and into a temporary file what is larger.
class Decompressor {
public:
  /// The content, valid until the next call, and in `used` how many of the compressed bytes it
  /// took. Throws FormatError when the stream is damaged or cut, or when its size is not
  /// `expectedSize`.
  Bytes decompress(Compression compression, Bytes compressed, uint64_t expectedSize,
                   uint64_t& used);

private:
  static constexpr uint64_t kMemory = uint64_t{32} << 20;

  std::unique_ptr<std::byte[]> memory_;
  std::optional<MappedFile> file_;
};

} // namespace device_coverage
