#include "compressed_bundle.h"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <memory>
#include <vector>

#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "message.h"
#include "temporary_file.h"

namespace device_coverage {
namespace {

constexpr size_t kChunk = size_t{1} << 20;

// magic, version u16, method u16, [total size], uncompressed size, hash u64
constexpr uint64_t kSizesOffset = 8;
constexpr uint64_t kHeaderSize1 = 20; // u32 uncompressed size
constexpr uint64_t kHeaderSize2 = 24; // u32 total size, u32 uncompressed size
constexpr uint64_t kHeaderSize3 = 32; // u64 total size, u64 uncompressed size

/// Takes what comes out of a decompressor, and never more than was announced.
class Sink {
public:
  explicit Sink(uint64_t limit) : limit_(limit) {}
  virtual ~Sink() = default;

  /// Where the next bytes are to be put; never empty.
  virtual std::span<std::byte> space() = 0;

  /// So many bytes were put into space().
  void filled(size_t size) {
    written_ += size;
    if (written_ > limit_)
      throw FormatError(fmt::format("decompresses to more than the {} bytes it states", limit_));
    keep(size);
  }

  void finish() const {
    if (written_ != limit_)
      throw FormatError(
          fmt::format("decompresses to {} bytes where it states {}", written_, limit_));
  }

protected:
  virtual void keep(size_t size) = 0;

private:
  uint64_t limit_;
  uint64_t written_ = 0;
};

class MemorySink : public Sink {
public:
  /// `memory` has room for one byte more than `limit`, which tells a stream that is too long.
  MemorySink(std::span<std::byte> memory, uint64_t limit) : Sink(limit), rest_(memory) {}

  std::span<std::byte> space() override { return rest_; }

protected:
  void keep(size_t size) override { rest_ = rest_.subspan(size); }

private:
  std::span<std::byte> rest_;
};

class FileSink : public Sink {
public:
  FileSink(int fileDescriptor, uint64_t limit)
      : Sink(limit), file_(fileDescriptor), buffer_(kChunk) {}

  std::span<std::byte> space() override { return buffer_; }

protected:
  void keep(size_t size) override {
    const std::byte* data = buffer_.data();
    while (size > 0) {
      const ssize_t step = ::write(file_, data, size);
      if (step < 0 && errno == EINTR)
        continue;
      if (step < 0)
        throw FormatError(
            fmt::format("cannot be decompressed into a temporary file ({})", errnoText(errno)));
      data += step;
      size -= static_cast<size_t>(step);
    }
  }

private:
  int file_;
  std::vector<std::byte> buffer_;
};

uint64_t inflateZlib(Bytes compressed, Sink& sink) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK)
    throw FormatError("cannot be decompressed: zlib does not start");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, inflateEnd);
  uint64_t consumed = 0;
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    const size_t piece = std::min<uint64_t>(compressed.size() - consumed, kChunk);
    const std::span<std::byte> space = sink.space();
    const size_t room = std::min(space.size(), kChunk);
    // zlib's input pointer is not const for historical reasons; it does not write through it.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(compressed.data() + consumed));
    stream.avail_in = static_cast<uInt>(piece);
    stream.next_out = reinterpret_cast<Bytef*>(space.data());
    stream.avail_out = static_cast<uInt>(room);
    status = inflate(&stream, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END)
      throw FormatError(piece == 0 ? "holds a zlib stream that is cut short"
                                   : "holds a damaged zlib stream");
    releaseMapped(compressed.subspan(consumed, piece - stream.avail_in));
    consumed += piece - stream.avail_in;
    sink.filled(room - stream.avail_out);
  }
  return consumed;
}

uint64_t decompressZstd(Bytes compressed, Sink& sink) {
  const std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(),
                                                                        ZSTD_freeDStream);
  ZSTD_inBuffer input{compressed.data(), compressed.size(), 0};
  size_t left = 1;
  while (left != 0) {
    const std::span<std::byte> space = sink.space();
    ZSTD_outBuffer output{space.data(), space.size(), 0};
    const size_t before = input.pos;
    left = ZSTD_decompressStream(stream.get(), &output, &input);
    if (ZSTD_isError(left) != 0)
      throw FormatError(fmt::format("holds a damaged zstd stream ({})", ZSTD_getErrorName(left)));
    if (left != 0 && output.pos == 0 && input.pos == before)
      throw FormatError("holds a zstd stream that is cut short");
    sink.filled(output.pos);
    releaseMapped(compressed.subspan(before, input.pos - before));
  }
  return input.pos;
}

uint64_t decompress(Compression compression, Bytes compressed, Sink& sink) {
  const uint64_t consumed = compression == Compression::Zlib ? inflateZlib(compressed, sink)
                                                             : decompressZstd(compressed, sink);
  sink.finish();
  return consumed;
}

} // namespace

CompressedBundleHeader readCompressedBundleHeader(Bytes bytes) {
  constexpr std::string_view kWhat = "the header of a compressed bundle";
  CompressedBundleHeader header;
  header.version = readAt<uint16_t>(bytes, 4, kWhat);
  const auto method = readAt<uint16_t>(bytes, 6, kWhat);
  if (header.version == 1) {
    header.headerSize = kHeaderSize1;
    header.uncompressedSize = readAt<uint32_t>(bytes, kSizesOffset, kWhat);
  } else if (header.version == 2) {
    header.headerSize = kHeaderSize2;
    header.totalSize = readAt<uint32_t>(bytes, kSizesOffset, kWhat);
    header.uncompressedSize = readAt<uint32_t>(bytes, kSizesOffset + 4, kWhat);
  } else if (header.version == 3) {
    header.headerSize = kHeaderSize3;
    header.totalSize = readAt<uint64_t>(bytes, kSizesOffset, kWhat);
    header.uncompressedSize = readAt<uint64_t>(bytes, kSizesOffset + 8, kWhat);
  } else {
    throw FormatError(
        fmt::format("is a compressed bundle of version {}, known are 1 to 3", header.version));
  }
  if (method > static_cast<uint16_t>(Compression::Zstd))
    throw FormatError(
        fmt::format("is compressed by method {}, known are 0 (zlib) and 1 (zstd)", method));
  header.compression = static_cast<Compression>(method);
  slice(bytes, 0, header.headerSize, kWhat);
  if (header.version > 1 && header.totalSize < header.headerSize)
    throw FormatError(
        fmt::format("states a size of {} bytes, less than its header", header.totalSize));
  slice(bytes, 0, header.totalSize, "the compressed bundle");
  if (header.uncompressedSize > static_cast<uint64_t>(std::numeric_limits<off_t>::max()))
    throw FormatError(fmt::format("states {} uncompressed bytes", header.uncompressedSize));
  return header;
}

Bytes Decompressor::decompress(Compression compression, Bytes compressed, uint64_t expectedSize,
                               uint64_t& used) {
  if (expectedSize > kMemory) {
    const TemporaryFile file;
    FileSink sink(file.descriptor(), expectedSize);
    used = device_coverage::decompress(compression, compressed, sink);
    return file_.emplace(file.descriptor(), expectedSize).bytes();
  }
  if (!memory_)
    memory_ = std::make_unique_for_overwrite<std::byte[]>(kMemory + 1);
  MemorySink sink({memory_.get(), expectedSize + 1}, expectedSize);
  used = device_coverage::decompress(compression, compressed, sink);
  return {memory_.get(), expectedSize};
}

} // namespace device_coverage
