#include "message.h"

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

namespace device_coverage {

std::string Message::text() const {
  return fmt::format("DeviceCoverage: {}: {}; {}; {}", phase, fact, consequence, remedy);
}

Failure::Failure(Message message, ExitStatus status)
    : message_(std::move(message)), text_(message_.text()), status_(status) {}

void Log::step(std::string_view phase, std::string_view text) const {
  if (!quiet_)
    fmt::print(stderr, "DeviceCoverage: {}: {}\n", phase, text);
}

void Log::problem(const Message& message) const {
  fmt::print(stderr, "{}\n", message.text());
}

bool mayColour(int fileDescriptor) {
  const char* noColour = std::getenv("NO_COLOR");
  if (noColour != nullptr && *noColour != '\0')
    return false;
  return isatty(fileDescriptor) == 1;
}

std::string errnoText(int error) {
  std::string text = std::generic_category().message(error);
  if (!text.empty())
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

} // namespace device_coverage
