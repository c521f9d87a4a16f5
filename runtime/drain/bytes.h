// A view of untrusted bytes whose every access is checked against the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace device_coverage {

struct Bytes {
  const uint8_t* data = nullptr;
  size_t size = 0;

  // The part [offset, offset + length). False, and nothing set, when it is not inside the view.
  bool slice(uint64_t offset, uint64_t length, Bytes& part) const {
    if (offset > size || length > size - offset)
      return false;
    part = Bytes{data + offset, static_cast<size_t>(length)};
    return true;
  }

  // Copies a trivially copyable value; the source need not be aligned.
  template <class T>
  bool read(uint64_t offset, T& value) const {
    Bytes part;
    if (!slice(offset, sizeof(T), part))
      return false;
    std::memcpy(&value, part.data, sizeof(T));
    return true;
  }

  bool equals(const Bytes& other) const {
    return size == other.size && (size == 0 || std::memcmp(data, other.data, size) == 0);
  }
};

} // namespace device_coverage
