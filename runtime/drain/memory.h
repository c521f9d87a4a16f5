// Memory taken from the kernel directly: the drain runs when the application's allocator may be
// gone and inside hooks that the application's allocator may itself be waiting for.
#pragma once

#include "bytes.h"

#include <new>
#include <type_traits>
#include <utility>

namespace device_coverage {

// A growable block of bytes. New bytes are zero. Growth can fail; callers check.
class Buffer {
public:
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { release(); }

  bool resize(size_t size);
  bool append(const void* bytes, size_t size);
  bool assign(const Bytes& bytes);
  void release();

  uint8_t* data() { return data_; }
  const uint8_t* data() const { return data_; }
  size_t size() const { return size_; }
  Bytes view() const { return Bytes{data_, size_}; }

private:
  uint8_t* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

// A growable array of trivially copyable elements.
template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  bool push(const T& element) { return bytes_.append(&element, sizeof(T)); }
  void removeAt(size_t index) {
    if (index + 1 != size())
      (*this)[index] = (*this)[size() - 1];
    bytes_.resize(bytes_.size() - sizeof(T));
  }
  bool resize(size_t count) { return bytes_.resize(count * sizeof(T)); }
  void clear() { bytes_.resize(0); }
  size_t size() const { return bytes_.size() / sizeof(T); }
  T& operator[](size_t index) { return begin()[index]; }
  const T& operator[](size_t index) const { return begin()[index]; }
  T* begin() { return reinterpret_cast<T*>(bytes_.data()); }
  T* end() { return begin() + size(); }
  const T* begin() const { return reinterpret_cast<const T*>(bytes_.data()); }
  const T* end() const { return begin() + size(); }

private:
  Buffer bytes_;
};

// Memory that is never given back, for objects that live as long as the process. Null when there is
// none.
void* allocateForever(size_t size);

template <class T, class... Arguments>
T* createForever(Arguments&&... arguments) {
  void* place = allocateForever(sizeof(T));
  return place == nullptr ? nullptr : new (place) T(std::forward<Arguments>(arguments)...);
}

} // namespace device_coverage
