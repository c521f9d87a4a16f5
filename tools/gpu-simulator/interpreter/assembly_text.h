// Splits a line of AMDGPU assembler text into mnemonic, operands and modifiers.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpusim {

enum class Encoding : unsigned char { Plain, Sdwa, Dpp };

struct AssemblyText {
  std::string_view mnemonic; ///< without _e32, _e64, _sdwa, _dpp
  Encoding encoding = Encoding::Plain;
  std::vector<std::string_view> operands;
  std::vector<std::string_view> modifiers; ///< e.g. `offset:16`, `glc`, `clamp`
};

/// The views refer to `text`.
AssemblyText splitAssembly(std::string_view text);

/// The two operations of a dual instruction (VOPD); the second is empty for other instructions.
std::pair<std::string_view, std::string_view> splitDual(std::string_view text);

} // namespace gpusim
