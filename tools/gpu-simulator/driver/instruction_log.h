// Prints the instructions of a traced kernel.
#pragma once

#include "interpreter/interpreter.h"

namespace gpusim {

/// Thread-safe: a line is one write.
class InstructionLog final : public InstructionTrace {
public:
  void executing(const TracedInstruction& instruction) override;
};

} // namespace gpusim
