#include "sub_dword_form.h"

#include "form_sources.h"
#include "operand_access.h"

namespace gpusim {

namespace {

constexpr uint8_t kDword = 6; // selections: 0..3 a byte, 4 and 5 a half
constexpr uint8_t kSelections = 7;
constexpr uint8_t kUnusedSigns = 1; // what becomes of the bits beside the selected ones
constexpr uint8_t kUnusedPreserved = 2;
constexpr uint16_t kResult = vector::kTemporary + 2;

struct Part {
  unsigned shift;
  unsigned bits;
};

constexpr Part partOf(uint8_t selection) {
  return selection < 4        ? Part{8u * selection, 8}
         : selection < kDword ? Part{16u * (selection - 4u), 16}
                              : Part{0, 32};
}

/// Copies the selected part of every lane of `source` into `out`.
void selectPart(const Wave& wave, const Operand& source, uint8_t selection, uint32_t* out) {
  LaneBuffer<uint32_t> buffer;
  Operand whole = source;
  whole.flags = 0; // the plain handler applies signs, to what was selected
  const uint32_t* words = readLanes<uint32_t>(wave, whole, buffer);
  const Part part = partOf(selection);
  const unsigned above = 32 - part.bits - part.shift;
  const unsigned unused = 32 - part.bits;
  if ((source.flags & Operand::kSignExtend) != 0) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      out[lane] = static_cast<uint32_t>(static_cast<int32_t>(words[lane] << above) >> unused);
    }
  } else {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      out[lane] = words[lane] << above >> unused;
    }
  }
}

void replaceSource(Wave& wave, Operand& operand, uint8_t selection, uint16_t temporary) {
  selectPart(wave, operand, selection, wave.vgpr[temporary]);
  operand.kind = Operand::Kind::Vector;
  operand.index = temporary;
  operand.registers = 1;
  operand.flags = static_cast<uint8_t>(operand.flags & ~Operand::kSignExtend);
}

/// Puts the low bits of the result where the destination selection says.
void mergeResult(Wave& wave, uint16_t destination, const FormFields& form) {
  const Part part = partOf(form.destinationSelect);
  const uint32_t* result = wave.vgpr[kResult];
  const uint32_t* old = wave.vgpr[destination];
  const uint32_t selected = ~0u >> (32 - part.bits) << part.shift;
  const uint32_t preserved = form.destinationUnused == kUnusedPreserved ? ~selected : 0u;
  alignas(64) LaneWords merged;
  if (form.destinationUnused == kUnusedSigns) {
    const unsigned unused = 32 - part.bits;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const auto extended = static_cast<int32_t>(result[lane] << unused) >> unused;
      merged[lane] = static_cast<uint32_t>(extended) << part.shift;
    }
  } else {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      merged[lane] = (result[lane] << part.shift & selected) | (old[lane] & preserved);
    }
  }
  writeRegister(wave, destination, merged, wave.exec());
}

Step runSubDword(Wave& wave, const Instruction& instruction) {
  Instruction plain = instruction;
  const FormSources sources = formSources(*instruction.opcode);
  for (unsigned source = 0; source < sources.count; ++source) {
    replaceSource(wave, plain.operands[sources.position[source]],
                  instruction.form.sourceSelect[source],
                  static_cast<uint16_t>(vector::kTemporary + source));
  }
  Operand& destination = plain.operands[0];
  if (instruction.form.destinationSelect == kDword) { // or none in a vector register
    return instruction.inner(wave, plain);
  }
  destination.index = kResult;
  const Step step = instruction.inner(wave, plain);
  mergeResult(wave, instruction.operands[0].index, instruction.form);
  return step;
}

/// Comparisons do not.
bool writesVector(const Instruction& instruction) {
  return instruction.opcode->operands[0].role == Role::Definition &&
         instruction.operands[0].kind == Operand::Kind::Vector;
}

bool isModelled(const Instruction& instruction, const FormSources& sources) {
  for (unsigned source = 0; source < sources.count; ++source) {
    const Operand& operand = instruction.operands[sources.position[source]];
    const bool isRegister =
        operand.kind == Operand::Kind::Vector || operand.kind == Operand::Kind::Scalar;
    if (!isRegister || operand.registers != 1 ||
        instruction.form.sourceSelect[source] >= kSelections) {
      return false;
    }
  }
  const bool mergesNothing =
      !writesVector(instruction) || instruction.form.destinationSelect == kDword;
  return sources.count != 0 && (mergesNothing || instruction.operands[0].registers == 1) &&
         instruction.form.destinationSelect < kSelections &&
         instruction.form.destinationUnused <= kUnusedPreserved;
}

} // namespace

Handler wrapSubDword(Instruction& instruction) {
  const uint32_t fields = instruction.form.encoding;
  FormFields& form = instruction.form;
  if (writesVector(instruction)) {
    form.destinationSelect = fields >> 8 & 7; // comparisons have their scalar destination here
    form.destinationUnused = fields >> 11 & 3;
  }
  form.sourceSelect[0] = fields >> 16 & 7;
  const FormSources sources = formSources(*instruction.opcode);
  if (sources.count == 2) {
    form.sourceSelect[1] = fields >> 24 & 7;
  }
  return isModelled(instruction, sources) ? runSubDword : nullptr;
}

} // namespace gpusim
