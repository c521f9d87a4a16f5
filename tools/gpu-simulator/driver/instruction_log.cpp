#include "driver/instruction_log.h"

#include "driver/log.h"

namespace gpusim {

void InstructionLog::executing(const TracedInstruction& instruction) {
  const auto& group = instruction.group;
  logLine("instruction: group=" + std::to_string(group[0]) + "," + std::to_string(group[1]) + "," +
          std::to_string(group[2]) + " wave=" + std::to_string(instruction.wave) +
          " exec=" + hex(instruction.exec) + " pc=" + hex(instruction.pc) + ": " +
          std::string(instruction.text));
}

} // namespace gpusim
