// SDWA and DPP: operand forms of the vector instructions, applied around the plain handler.
//
// The wrapper writes the selected or moved sources into temporary registers (vector::kTemporary),
// runs `Instruction::inner` on those, and merges the result. Handlers therefore never know of these
// forms.
#pragma once

#include <string_view>

#include "assembly_text.h"
#include "instruction.h"

namespace gpusim {

/// Whether `modifier` belongs to the form's own fields, which wrapForm takes from the encoding.
bool isFormModifier(Encoding encoding, std::string_view modifier);

/// Prepares `instruction` (operands already parsed, `inner` set) for the form and returns the
/// wrapper; null when the form is not modelled.
Handler wrapForm(Encoding encoding, Instruction& instruction);

} // namespace gpusim
