// An open file that is closed exactly once.
#pragma once

#include <unistd.h>
#include <utility>

namespace device_coverage {

class FileDescriptor {
public:
  explicit FileDescriptor(int value = -1) noexcept : value_(value) {}
  FileDescriptor(FileDescriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() { reset(); }

  explicit operator bool() const noexcept { return value_ >= 0; }
  int get() const noexcept { return value_; }

  void reset() noexcept {
    if (value_ >= 0)
      close(value_);
    value_ = -1;
  }

private:
  int value_;
};

} // namespace device_coverage
