#include "data_parallel_form.h"

#include "form_sources.h"
#include "operand_access.h"

namespace gpusim {

namespace {

constexpr unsigned kRow = 16; // lanes
constexpr int kNoLane = -1;
constexpr unsigned kRegistersPerSource = 2;

/// Ranges of DPP_CTRL; shifts by zero are not encodings.
namespace control {
constexpr unsigned kRowShiftLeft = 0x100;
constexpr unsigned kRowShiftRight = 0x110;
constexpr unsigned kRowRotateRight = 0x120;
constexpr unsigned kWaveShiftLeft = 0x130;
constexpr unsigned kWaveRotateLeft = 0x134;
constexpr unsigned kWaveShiftRight = 0x138;
constexpr unsigned kWaveRotateRight = 0x13c;
constexpr unsigned kRowMirror = 0x140;
constexpr unsigned kHalfRowMirror = 0x141;
constexpr unsigned kBroadcast15 = 0x142;
constexpr unsigned kBroadcast31 = 0x143;
constexpr unsigned kRowBroadcast = 0x150;
constexpr unsigned kRowXorMask = 0x160;
} // namespace control

constexpr int laneInRow(int row, int position) {
  return position < 0 || position >= static_cast<int>(kRow) ? kNoLane : row + position;
}

constexpr int rowSource(unsigned dppControl, int lane) {
  const int position = lane % static_cast<int>(kRow);
  const int row = lane - position;
  const int amount = static_cast<int>(dppControl & 15);
  switch (dppControl & ~15u) {
  case control::kRowShiftLeft:
    return laneInRow(row, position + amount);
  case control::kRowShiftRight:
    return laneInRow(row, position - amount);
  case control::kRowXorMask:
    return lane ^ amount;
  case control::kRowRotateRight:
    return row + (position - amount + static_cast<int>(kRow)) % static_cast<int>(kRow);
  default:
    return row + amount; // kRowBroadcast
  }
}

/// The lane whose value `lane` gets, or kNoLane.
constexpr int sourceLane(unsigned dppControl, int lane) {
  constexpr int kLast = static_cast<int>(kLanes) - 1;
  if (dppControl < control::kRowShiftLeft) { // a permutation of four lanes
    return (lane & ~3) + static_cast<int>(dppControl >> 2 * (lane & 3) & 3);
  }
  switch (dppControl) {
  case control::kWaveShiftLeft:
    return lane == kLast ? kNoLane : lane + 1;
  case control::kWaveRotateLeft:
    return (lane + 1) & kLast;
  case control::kWaveShiftRight:
    return lane - 1; // kNoLane for lane 0
  case control::kWaveRotateRight:
    return (lane - 1) & kLast;
  case control::kRowMirror:
    return lane ^ 15;
  case control::kHalfRowMirror:
    return lane ^ 7;
  case control::kBroadcast15: // the last lane of the row before
    return (lane & ~15) - 1;
  case control::kBroadcast31: // the last lane of the lower half of the wave
    return lane < 32 ? kNoLane : 31;
  default:
    return rowSource(dppControl, lane);
  }
}

bool isControl(unsigned dppControl) {
  switch (dppControl & ~15u) {
  case control::kRowShiftLeft:
  case control::kRowShiftRight:
  case control::kRowRotateRight:
    return (dppControl & 15) != 0;
  case control::kRowBroadcast:
  case control::kRowXorMask:
    return true;
  case control::kWaveShiftLeft & ~15u:
    return (dppControl & 3) == 0;
  case control::kRowMirror & ~15u:
    return dppControl <= control::kBroadcast31;
  default:
    return dppControl < control::kRowShiftLeft;
  }
}

/// The lanes that ROW_MASK and BANK_MASK (four lanes of each row) let through.
uint64_t enabledLanes(const FormFields& form) {
  uint64_t row = 0;
  for (unsigned bank = 0; bank < 4; ++bank) {
    row |= (form.bankMask >> bank & 1) != 0 ? uint64_t{0xf} << 4 * bank : 0;
  }
  uint64_t lanes = 0;
  for (unsigned index = 0; index < 4; ++index) {
    lanes |= (form.rowMask >> index & 1) != 0 ? row << kRow * index : 0;
  }
  return lanes;
}

/// Where every lane reads; lanes without a source read any lane and are not in `valid`.
struct Moves {
  uint8_t from[kLanes];
  uint64_t valid = 0;
};

/// A permutation of eight lanes.
int eighthSource(uint32_t selectors, int lane) {
  return (lane & ~7) + static_cast<int>(selectors >> 3 * (lane & 7) & 7);
}

/// A lane that EXEC switches off has no value to give, like one beyond the row, unless the form
/// says otherwise.
template <bool kEights>
Moves movesOf(const FormFields& form, uint64_t exec) {
  Moves moves;
  const uint64_t readable = form.fetchInactive ? ~uint64_t{0} : exec;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const int from = kEights ? eighthSource(form.laneSelectors, static_cast<int>(lane))
                             : sourceLane(form.dppControl, static_cast<int>(lane));
    const bool isValid = from != kNoLane && (readable >> from & 1) != 0;
    moves.from[lane] = static_cast<uint8_t>(from & (kLanes - 1));
    moves.valid |= static_cast<uint64_t>(isValid) << lane;
  }
  return moves;
}

void moveSource(Wave& wave, Operand& source, const Moves& moves) {
  alignas(64) LaneWords valid;
  expandMask(moves.valid, valid);
  for (unsigned part = 0; part < source.registers; ++part) {
    const uint32_t* in = wave.vgpr[source.index + part];
    uint32_t* out = wave.vgpr[vector::kTemporary + part];
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      out[lane] = in[moves.from[lane]] & valid[lane];
    }
  }
  source.index = vector::kTemporary;
}

template <bool kEights>
Step runDataParallel(Wave& wave, const Instruction& instruction) {
  const uint64_t exec = wave.exec();
  const FormFields& form = instruction.form;
  const Moves moves = movesOf<kEights>(form, exec);
  Instruction plain = instruction;
  moveSource(wave, plain.operands[formSources(*instruction.opcode).position[0]], moves);
  const uint64_t written = form.boundControl ? ~uint64_t{0} : moves.valid;
  wave.setExec(exec & enabledLanes(form) & written);
  const Step step = instruction.inner(wave, plain);
  wave.setExec(exec);
  return step;
}

/// What SRC0 says when the source is in a second dword with the fields of the form.
namespace marker {
constexpr unsigned kEights = 0xe9;
constexpr unsigned kEightsInactive = 0xea; ///< reads lanes that EXEC switches off
} // namespace marker

/// Lanes without a value read as zero: there is no bound control in this form.
Handler wrapEights(Instruction& instruction, uint32_t fields, bool fetchInactive) {
  FormFields& form = instruction.form;
  form.laneSelectors = fields >> 8;
  form.boundControl = true;
  form.fetchInactive = fetchInactive;
  return runDataParallel<true>;
}

Handler wrapRows(Instruction& instruction, uint32_t fields) {
  FormFields& form = instruction.form;
  form.dppControl = fields >> 8 & 0x1ff;
  form.fetchInactive = (fields >> 18 & 1) != 0;
  form.boundControl = (fields >> 19 & 1) != 0;
  form.bankMask = fields >> 24 & 0xf;
  form.rowMask = fields >> 28;
  return isControl(form.dppControl) ? runDataParallel<false> : nullptr;
}

} // namespace

Handler wrapDataParallel(Instruction& instruction) {
  const FormSources sources = formSources(*instruction.opcode);
  if (sources.count == 0) {
    return nullptr;
  }
  const Operand& moved = instruction.operands[sources.position[0]];
  const bool isModelled =
      moved.kind == Operand::Kind::Vector && moved.registers <= kRegistersPerSource;
  if (!isModelled) {
    return nullptr;
  }
  if (instruction.opcode->operands[0].role != Role::Definition) {
    return nullptr; // a comparison into EXEC, which the wrapper restores
  }
  const uint32_t fields = instruction.form.encoding;
  constexpr uint8_t kThreeOperandDwords = 3;
  const unsigned sourceShift = instruction.dwords == kThreeOperandDwords ? 32 : 0;
  const unsigned source = instruction.encoding >> sourceShift & 0x1ff;
  const bool eights = source == marker::kEights || source == marker::kEightsInactive;
  return eights ? wrapEights(instruction, fields, source == marker::kEightsInactive)
                : wrapRows(instruction, fields);
}

} // namespace gpusim
