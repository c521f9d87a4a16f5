// Thresholds on coverage, decided on integers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "changed_lines.h"
#include "message.h"
#include "stored_report.h"

namespace device_coverage {

/// A percentage exact to four decimals: 99.95 is not 100.
class Threshold {
public:
  /// Reads `80`, `99.95`. Nothing when it is no percentage from 0 to 100 with at most four
  /// decimals.
  static std::optional<Threshold> parse(std::string_view text);

  /// How many of `count` must be covered at least.
  uint64_t needed(uint64_t count) const;

  const std::string& text() const noexcept { return text_; }

private:
  Threshold(uint64_t scaled, std::string text) : scaled_(scaled), text_(std::move(text)) {}

  uint64_t scaled_; // percent times 10,000
  std::string text_;
};

/// What a gate looks at.
enum class GateScope { Side, EachFile, ChangedLines };

struct Gate {
  GateScope scope = GateScope::Side;
  std::string side;   ///< a side's name, `device` for all device sides, or empty for all
  std::string metric; ///< `lines`, `functions`, `regions`, `branches`
  Threshold minimum;

  /// Reads `[SIDE:]METRIC=PERCENT`; a side may contain colons itself. Throws Failure (usage).
  static Gate parse(GateScope scope, const std::string& text);
};

struct GateResult {
  std::vector<std::string> passed; ///< a sentence per comparison
  std::vector<Message> fallen;     ///< which gate, by how much
};

/// Compares. Throws Failure (data) when a gate names a side or metric that the report cannot answer
/// for.
GateResult applyGates(const StoredReport& report, const std::vector<Gate>& gates,
                      const ChangedLines& changed);

} // namespace device_coverage
