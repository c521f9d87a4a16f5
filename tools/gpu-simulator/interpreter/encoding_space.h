// Encodings that between them show every instruction a processor has.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

namespace gpusim {

/// The longest instruction has four dwords; the rest is what follows the instruction.
using EncodedInstruction = std::array<uint32_t, 5>;

/// Visits, in rising order of the leading dword, encodings that contain each opcode of each
/// encoding family at least once, with operands plain enough to be valid. Most of what is visited
/// is no instruction of any one processor: its disassembler decides.
void forEachEncoding(const std::function<void(const EncodedInstruction&)>& visit);

} // namespace gpusim
