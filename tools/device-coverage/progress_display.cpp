#include "progress_display.h"

#include <unistd.h>

#include <fmt/format.h>

namespace device_coverage {
namespace {

constexpr size_t kWidth = 40;
constexpr const char* kEraseLine = "\r\x1b[K";

} // namespace

std::string progressBar(size_t done, size_t total, size_t width) {
  const size_t filled = total == 0 ? width : done * width / total;
  return fmt::format("|{}{}| {}/{}", std::string(filled, '#'), std::string(width - filled, '.'),
                     done, total);
}

ProgressDisplay::ProgressDisplay(const Log& log, std::string phase, std::string what)
    : log_(log), phase_(std::move(phase)), what_(std::move(what)),
      terminal_(isatty(STDERR_FILENO) == 1) {}

std::function<void(size_t, size_t)> ProgressDisplay::callback() const {
  return [display = *this, first = true](size_t done, size_t total) mutable {
    const bool atOnce = first && done == total;
    first = false;
    if (atOnce || display.log_.isQuiet())
      return;
    if (!display.terminal_)
      display.log_.step(display.phase_,
                        fmt::format("{}: {} of {} profiles read", display.what_, done, total));
    else if (done < total)
      fmt::print(stderr, "{}{} {}", kEraseLine, display.what_, progressBar(done, total, kWidth));
    else
      fmt::print(stderr, "{}", kEraseLine);
  };
}

} // namespace device_coverage
