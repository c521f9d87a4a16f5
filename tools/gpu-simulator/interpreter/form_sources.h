// What SDWA and DPP share: which operands of an instruction their source fields speak of.
#pragma once

#include "instruction.h"

namespace gpusim {

/// Positions in Instruction::operands of SRC0 and, when there is one, SRC1.
struct FormSources {
  unsigned position[2] = {};
  unsigned count = 0;
};

inline FormSources formSources(const Opcode& opcode) {
  FormSources sources;
  for (unsigned index = 0; index < kMaxOperands && sources.count < 2; ++index) {
    if (opcode.operands[index].role == Role::Use) {
      sources.position[sources.count++] = index;
    }
  }
  return sources;
}

} // namespace gpusim
