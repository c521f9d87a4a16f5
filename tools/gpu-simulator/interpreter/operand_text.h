// Resolves one operand of assembler text to registers or constant bits.
#pragma once

#include <optional>
#include <string_view>

#include "instruction.h"

namespace gpusim {

/// `type` decides what constants become. Empty when the operand is not modelled.
std::optional<Operand> parseOperand(std::string_view text, ValueType type);

/// A decimal or hexadecimal number, with sign.
std::optional<int64_t> parseInteger(std::string_view text);

} // namespace gpusim
