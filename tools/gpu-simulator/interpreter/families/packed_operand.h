// The selection of halves by VOP3P instructions: op_sel for the low result, op_sel_hi for the high.
#pragma once

#include "../operand_access.h"

namespace gpusim {

/// Whether source `source` gives its upper half to the result half `half`.
inline bool selectsUpper(const Instruction& instruction, unsigned half, unsigned source) {
  const uint8_t selection = half == 0 ? instruction.opSel : instruction.opSelHi;
  return (selection >> source & 1) != 0;
}

/// The 16 bits of every lane that source `source` gives to the result half `half`.
inline void readHalves(const Wave& wave, const Instruction& instruction, unsigned half,
                       unsigned source, uint32_t* out) {
  LaneBuffer<uint32_t> buffer;
  const uint32_t* words = readLanes<uint32_t>(wave, instruction.operands[source + 1], buffer);
  const unsigned shift = selectsUpper(instruction, half, source) ? 16 : 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    out[lane] = words[lane] >> shift & 0xffff;
  }
}

/// Writes `low` and `high` (16 bits each) as one register.
inline void writeHalfPair(Wave& wave, const Operand& destination, const uint32_t* low,
                          const uint32_t* high) {
  alignas(64) LaneWords packed;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    packed[lane] = (low[lane] & 0xffff) | high[lane] << 16;
  }
  writeRegister(wave, destination.index, packed, wave.exec());
}

} // namespace gpusim
