// Which of a processor's instructions the interpreter executes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace gpusim {

enum class Support : unsigned char {
  Missing,     ///< a gap: nobody has modelled it yet
  Refused,     ///< deliberately not modelled (refused_instructions.h)
  Implemented, ///< has a handler that accepts at least one of its encodings
};

/// `implemented`, `refused` or `missing`.
std::string_view wordFor(Support support);

/// Every mnemonic (without _e32, _e64, _sdwa, _dpp) that LLVM's decoding tables have for the
/// processor, and what the decoder of the interpreter says of it. Takes about a second. Empty when
/// `architecture` is not modelled.
std::optional<std::map<std::string, Support>> surveyInstructions(std::string_view architecture);

} // namespace gpusim
