// Scalar registers numbered relative to M0.
#include <string>

#include "../execution.h"
#include "../operand_access.h"
#include "families.h"

namespace gpusim {

namespace {

/// The operand M0 registers further. False: that is no general register.
bool moved(const Wave& wave, Operand& operand) {
  const unsigned general = wave.execution->architecture().halfWaves ? 106 : 102;
  const uint64_t index = uint64_t{operand.index} + wave.sgpr[scalar::kM0];
  if (index + operand.registers > general) {
    return false;
  }
  operand.index = static_cast<uint16_t>(index);
  return true;
}

Step outside(Wave& wave, const Instruction& instruction) {
  return wave.execution->fail(wave, instruction, Fault::Kind::Unsupported,
                              "M0 is " + std::to_string(wave.sgpr[scalar::kM0]) +
                                  ": the register leaves the register file");
}

template <class T>
Step moveFromRelative(Wave& wave, const Instruction& instruction) {
  Operand source = instruction.operands[1];
  if (source.kind != Operand::Kind::Scalar || !moved(wave, source)) {
    return outside(wave, instruction);
  }
  writeScalar<T>(wave, instruction.operands[0], readScalar<T>(wave, source));
  return Step::Continue;
}

template <class T>
Step moveToRelative(Wave& wave, const Instruction& instruction) {
  Operand destination = instruction.operands[0];
  if (!moved(wave, destination)) {
    return outside(wave, instruction);
  }
  writeScalar<T>(wave, destination, readScalar<T>(wave, instruction.operands[1]));
  return Step::Continue;
}

template <class T>
constexpr Opcode row(std::string_view mnemonic, Handler run) {
  return {mnemonic,
          run,
          {{{Role::Definition, valueTypeOf<T>()}, {Role::Use, valueTypeOf<T>()}}},
          0,
          nullptr};
}

constexpr Opcode kOpcodes[] = {
    row<uint32_t>("s_movrels_b32", moveFromRelative<uint32_t>),
    row<uint64_t>("s_movrels_b64", moveFromRelative<uint64_t>),
    row<uint32_t>("s_movreld_b32", moveToRelative<uint32_t>),
    row<uint64_t>("s_movreld_b64", moveToRelative<uint64_t>),
};

} // namespace

Family scalarRelativeFamily() {
  return kOpcodes;
}

} // namespace gpusim
