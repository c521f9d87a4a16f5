// Views of untrusted bytes. Every read is checked: a file may be cut short or lie about its sizes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace device_coverage {

using Bytes = std::span<const std::byte>;

/// What is wrong with a file's content, without the file's name: whoever opened the file adds it.
class FormatError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// The `size` bytes at `offset`. Throws FormatError, naming `what`, if they are not all there.
inline Bytes slice(Bytes bytes, uint64_t offset, uint64_t size, std::string_view what) {
  if (offset > bytes.size() || size > bytes.size() - offset)
    throw FormatError(fmt::format("{} needs {} bytes at offset {}, but only {} bytes are there",
                                  what, size, offset, bytes.size()));
  return bytes.subspan(offset, size);
}

/// Calls `visit` with one piece after another, for work that would fill the memory with all of a
/// large content at once.
template <typename Visit>
void forEachPiece(Bytes bytes, const Visit& visit) {
  constexpr size_t kPiece = size_t{8} << 20;
  for (; bytes.size() > kPiece; bytes = bytes.subspan(kPiece))
    visit(bytes.first(kPiece));
  visit(bytes);
}

/// A trivially copyable value at `offset`, wherever it is aligned; all formats read here are
/// little-endian, as are the machines that the program is built for.
template <typename T>
T readAt(Bytes bytes, uint64_t offset, std::string_view what) {
  T value;
  std::memcpy(&value, slice(bytes, offset, sizeof(T), what).data(), sizeof(T));
  return value;
}

/// The bytes as characters, for names and magic words.
inline std::string_view asText(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline bool startsWith(Bytes bytes, std::string_view magic) {
  return asText(bytes).starts_with(magic);
}

/// The zero-terminated string at `offset`. Throws FormatError if it does not end within `bytes`.
inline std::string_view stringAt(Bytes bytes, uint64_t offset, std::string_view what) {
  if (offset >= bytes.size())
    throw FormatError(
        fmt::format("{} begins at offset {} of {} bytes", what, offset, bytes.size()));
  const std::string_view rest = asText(bytes.subspan(offset));
  const size_t end = rest.find('\0');
  if (end == std::string_view::npos)
    throw FormatError(fmt::format("{} at offset {} does not end", what, offset));
  return rest.substr(0, end);
}

} // namespace device_coverage
