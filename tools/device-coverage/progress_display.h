// How far a long step is: a bar on a terminal, plain lines elsewhere, nothing with --quiet.
#pragma once

#include <functional>
#include <string>

#include "message.h"

namespace device_coverage {

/// `|######....| 512/2170`, `width` characters between the strokes.
std::string progressBar(size_t done, size_t total, size_t width);

class ProgressDisplay {
public:
  /// `what` is advancing in the step `phase`.
  ProgressDisplay(const Log& log, std::string phase, std::string what);

  /// To be called with what is done and the total. A step that is done at once shows nothing.
  std::function<void(size_t done, size_t total)> callback() const;

private:
  Log log_;
  std::string phase_;
  std::string what_;
  bool terminal_;
};

} // namespace device_coverage
