#include "driver/log.h"

#include <array>
#include <charconv>

#include <unistd.h>

namespace gpusim {

void logLine(std::string_view message) {
  std::string line = "amdgpu-simulator: ";
  line.append(message);
  line.push_back('\n');
  // Not stdio: the program may have closed or be flushing it.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

std::string hex(uint64_t value) {
  std::array<char, 16> digits{};
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return "0x" + std::string(digits.data(), result.ptr);
}

} // namespace gpusim
