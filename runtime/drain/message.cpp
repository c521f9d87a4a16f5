#include "message.h"

#include "text.h"

#include <cerrno>
#include <cstdlib>
#include <unistd.h>

namespace device_coverage {
namespace {

void writeLine(const char* pattern, va_list arguments) {
  char line[8192];
  const int start = std::snprintf(line, sizeof line, "DeviceCoverage: drain: ");
  std::vsnprintf(line + start, sizeof line - static_cast<size_t>(start) - 1, pattern, arguments);
  size_t length = std::strlen(line);
  line[length++] = '\n';
  const int savedErrno = errno;
  // Nobody is left to be told when stderr is closed.
  [[maybe_unused]] const ssize_t ignored = write(STDERR_FILENO, line, length);
  errno = savedErrno;
}

} // namespace

void warn(const char* pattern, ...) {
  va_list arguments;
  va_start(arguments, pattern);
  writeLine(pattern, arguments);
  va_end(arguments);
}

void tell(const char* pattern, ...) {
  const char* verbose = std::getenv("DEVICE_COVERAGE_VERBOSE");
  if (verbose == nullptr || verbose[0] == '\0' || std::strcmp(verbose, "0") == 0)
    return;
  va_list arguments;
  va_start(arguments, pattern);
  writeLine(pattern, arguments);
  va_end(arguments);
}

} // namespace device_coverage
