// Text of bounded length without the C++ library. Too long a text is cut and says so (`complete`).
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstring>

namespace device_coverage {

template <size_t Capacity>
class Text {
public:
  Text() = default;
  explicit Text(const char* text) { append(text); }

  void append(char character) {
    if (length_ + 1 < Capacity) {
      text_[length_++] = character;
      text_[length_] = '\0';
    } else {
      complete_ = false;
    }
  }
  void append(const char* text) {
    for (; *text != '\0'; ++text)
      append(*text);
  }
  void append(const char* text, size_t length) {
    for (size_t i = 0; i < length; ++i)
      append(text[i]);
  }
  __attribute__((format(printf, 2, 3))) void format(const char* pattern, ...) {
    va_list arguments;
    va_start(arguments, pattern);
    const int written = std::vsnprintf(text_ + length_, Capacity - length_, pattern, arguments);
    va_end(arguments);
    if (written < 0 || static_cast<size_t>(written) >= Capacity - length_)
      complete_ = false;
    length_ += std::strlen(text_ + length_);
  }
  void clear() {
    length_ = 0;
    complete_ = true;
    text_[0] = '\0';
  }

  const char* c_str() const { return text_; }
  size_t length() const { return length_; }
  bool empty() const { return length_ == 0; }
  bool complete() const { return complete_; }
  bool operator==(const Text& other) const { return std::strcmp(text_, other.text_) == 0; }

private:
  char text_[Capacity] = {};
  size_t length_ = 0;
  bool complete_ = true;
};

using Path = Text<4096>;
using Reason = Text<256>;

} // namespace device_coverage
