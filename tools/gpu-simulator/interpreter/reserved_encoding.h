// Encodings that LLVM's disassembler must not see: it accepts them and ends the process when it
// prints them.
#pragma once

#include <cstdint>

namespace gpusim {

/// Whether the instruction is of the SDWA form and has a selection that stands for nothing.
constexpr bool hasReservedSelection(uint32_t first, uint32_t second) {
  constexpr uint32_t kSubDword = 0xf9;
  constexpr uint32_t kReservedSelect = 7;
  constexpr uint32_t kReservedUnused = 3;
  const bool isVector = first >> 31 == 0; // VOP1, VOP2 and VOPC
  if (!isVector || (first & 0x1ff) != kSubDword) {
    return false;
  }
  const bool isCompare = first >> 25 == 0x3e; // it has a scalar destination
  const bool destination =
      !isCompare && ((second >> 8 & 7) == kReservedSelect || (second >> 11 & 3) == kReservedUnused);
  return destination || (second >> 16 & 7) == kReservedSelect ||
         (second >> 24 & 7) == kReservedSelect;
}

/// Whether a source is a literal in a form that has no room for one on gfx9: VOP3, VOP3P, MUBUF and
/// MTBUF.
constexpr bool hasImpossibleLiteral(uint32_t first, uint32_t second) {
  constexpr uint32_t kLiteral = 0xff;
  constexpr uint32_t kSource = 0x1ff;
  switch (first >> 26) {
  case 0x34:
    return (second & kSource) == kLiteral || (second >> 9 & kSource) == kLiteral ||
           (second >> 18 & kSource) == kLiteral;
  case 0x38:
  case 0x3a:
    return second >> 24 == kLiteral;
  default:
    return false;
  }
}

/// Whether the instruction multiplies matrices of eight, six or four bits (gfx950), and a matrix is
/// not in vector registers.
constexpr bool hasMatrixInScalars(uint32_t first, uint32_t second) {
  constexpr uint32_t kSmall = 0xd3ad; // v_mfma_f32_16x16x128_f8f6f4
  constexpr uint32_t kLarge = 0xd3ae; // v_mfma_f32_32x32x64_f8f6f4
  constexpr uint32_t kVectors = 1u << 8 | 1u << 17;
  const uint32_t opcode = first >> 16;
  return (opcode == kSmall || opcode == kLarge) && (second & kVectors) != kVectors;
}

/// The same behind the scales of the matrices, which are an instruction of their own.
constexpr bool hasScaledMatrixInScalars(uint32_t first, uint32_t third, uint32_t fourth) {
  constexpr uint32_t kScales = 0xd3ac; // v_mfma_ld_scale_b32
  return first >> 16 == kScales && hasMatrixInScalars(third, fourth);
}

} // namespace gpusim
