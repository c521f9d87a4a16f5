// SDWA: sources and result are bytes or halves of registers.
#pragma once

#include "instruction.h"

namespace gpusim {

/// See wrapForm (operand_forms.h).
Handler wrapSubDword(Instruction& instruction);

} // namespace gpusim
