// DPP: SRC0 comes from other lanes.
#pragma once

#include "instruction.h"

namespace gpusim {

/// See wrapForm (operand_forms.h).
Handler wrapDataParallel(Instruction& instruction);

} // namespace gpusim
