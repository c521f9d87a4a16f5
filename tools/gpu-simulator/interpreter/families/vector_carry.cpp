// Lane operations with a mask of one bit per lane beside their data: carries and selection.
#include "../vector_operation.h"
#include "families.h"

namespace gpusim {

namespace {

uint32_t add(uint32_t a, uint32_t b, uint32_t carry) {
  return a + b + carry;
}
uint32_t subtract(uint32_t a, uint32_t b, uint32_t borrow) {
  return a - b - borrow;
}
uint32_t subtractReversed(uint32_t a, uint32_t b, uint32_t borrow) {
  return subtract(b, a, borrow);
}

// Carries are computed from bits alone, so that loops over lanes become vector code: the sign bit
// is the carry out of the highest place.
uint32_t carryOfAdd(uint32_t a, uint32_t b, uint32_t sum) {
  return (a & b) | ((a | b) & ~sum);
}
uint32_t borrowOfSubtract(uint32_t a, uint32_t b, uint32_t difference) {
  return (~a & b) | ((~a | b) & difference);
}
uint32_t borrowOfReversed(uint32_t a, uint32_t b, uint32_t difference) {
  return borrowOfSubtract(b, a, difference);
}

/// Operands: destination, carry out, two sources, and with `kCarryIn` the carry in.
template <auto Operation, auto CarryOf, bool kCarryIn>
Step carry(Wave& wave, const Instruction& instruction) {
  LaneBuffer<uint32_t> bufferA;
  LaneBuffer<uint32_t> bufferB;
  const uint32_t* a = readLanes<uint32_t>(wave, instruction.operands[2], bufferA);
  const uint32_t* b = readLanes<uint32_t>(wave, instruction.operands[3], bufferB);
  alignas(64) LaneWords carryIn = {};
  if constexpr (kCarryIn) {
    expandMask(readMask(wave, instruction.operands[4]), carryIn);
  }
  LaneBuffer<uint32_t> result;
  alignas(64) LaneWords carryOut;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint32_t value = Operation(a[lane], b[lane], carryIn[lane] & 1);
    result.value[lane] = value;
    carryOut[lane] =
        static_cast<uint32_t>(static_cast<int32_t>(CarryOf(a[lane], b[lane], value)) >> 31);
  }
  writeLanes<uint32_t>(wave, instruction.operands[0], result);
  writeMask(wave, instruction.operands[1], packMask(carryOut) & wave.exec());
  return Step::Continue;
}

struct WideSum {
  uint64_t value;
  bool carry;
};
WideSum multiplyAddUnsigned(uint32_t a, uint32_t b, uint64_t c) {
  const uint64_t product = uint64_t{a} * b;
  return {product + c, product + c < product};
}
/// The carry is bit 64 of the exact sum.
WideSum multiplyAddSigned(uint32_t a, uint32_t b, uint64_t c) {
  const int64_t product = int64_t{static_cast<int32_t>(a)} * static_cast<int32_t>(b);
  int64_t sum = 0;
  const bool overflow = __builtin_add_overflow(product, static_cast<int64_t>(c), &sum);
  return {static_cast<uint64_t>(sum), (sum < 0) != overflow};
}

/// Operands: destination, carry out, two factors, addend.
template <auto Operation>
Step multiplyAdd(Wave& wave, const Instruction& instruction) {
  LaneBuffer<uint32_t> bufferA;
  LaneBuffer<uint32_t> bufferB;
  LaneBuffer<uint64_t> bufferC;
  const uint32_t* a = readLanes<uint32_t>(wave, instruction.operands[2], bufferA);
  const uint32_t* b = readLanes<uint32_t>(wave, instruction.operands[3], bufferB);
  const uint64_t* c = readLanes<uint64_t>(wave, instruction.operands[4], bufferC);
  LaneBuffer<uint64_t> result;
  alignas(64) LaneWords carryOut;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const WideSum sum = Operation(a[lane], b[lane], c[lane]);
    result.value[lane] = sum.value;
    carryOut[lane] = sum.carry ? ~0u : 0u;
  }
  writeLanes<uint64_t>(wave, instruction.operands[0], result);
  writeMask(wave, instruction.operands[1], packMask(carryOut) & wave.exec());
  return Step::Continue;
}

/// Operands: destination, value where the mask is clear, value where it is set, mask.
template <class T>
Step select(Wave& wave, const Instruction& instruction) {
  LaneBuffer<T> bufferA;
  LaneBuffer<T> bufferB;
  const uint32_t* a = readLanes<T>(wave, instruction.operands[1], bufferA);
  const uint32_t* b = readLanes<T>(wave, instruction.operands[2], bufferB);
  alignas(64) LaneWords mask;
  expandMask(readMask(wave, instruction.operands[3]), mask);
  LaneBuffer<T> result;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    result.value[lane] = (a[lane] & ~mask[lane]) | (b[lane] & mask[lane]);
  }
  writeLanes<T>(wave, instruction.operands[0], result);
  return Step::Continue;
}

constexpr OperandSpec kOut{Role::Definition, ValueType::Bits32};
constexpr OperandSpec kWideOut{Role::Definition, ValueType::Bits64};
constexpr OperandSpec kMaskOut{Role::Definition, ValueType::LaneMask};
constexpr OperandSpec kIn{Role::Use, ValueType::Bits32};
constexpr OperandSpec kMaskIn{Role::Use, ValueType::LaneMask};
constexpr OperandSpec kWideIn{Role::Use, ValueType::Bits64};
constexpr OperandSpec kSignedIn{Role::Use, ValueType::Int64};
constexpr OperandSpec kFloatIn{Role::Use, ValueType::Float32}; // sign modifiers are allowed

template <auto Operation, auto CarryOf>
constexpr Opcode carryOut(std::string_view mnemonic) {
  return {mnemonic, carry<Operation, CarryOf, false>, {{kOut, kMaskOut, kIn, kIn}}, 0, nullptr};
}
template <auto Operation, auto CarryOf>
constexpr Opcode carryInOut(std::string_view mnemonic) {
  return {
      mnemonic, carry<Operation, CarryOf, true>, {{kOut, kMaskOut, kIn, kIn, kMaskIn}}, 0, nullptr};
}

constexpr Opcode kOpcodes[] = {
    carryOut<add, carryOfAdd>("v_add_co_u32"),
    carryOut<subtract, borrowOfSubtract>("v_sub_co_u32"),
    carryOut<subtractReversed, borrowOfReversed>("v_subrev_co_u32"),
    carryInOut<add, carryOfAdd>("v_addc_co_u32"),
    carryInOut<subtract, borrowOfSubtract>("v_subb_co_u32"),
    carryInOut<subtractReversed, borrowOfReversed>("v_subbrev_co_u32"),
    {"v_mad_u64_u32",
     multiplyAdd<multiplyAddUnsigned>,
     {{kWideOut, kMaskOut, kIn, kIn, kWideIn}},
     0,
     nullptr},
    {"v_mad_i64_i32",
     multiplyAdd<multiplyAddSigned>,
     {{kWideOut, kMaskOut, kIn, kIn, kSignedIn}},
     0,
     nullptr},
    {"v_cndmask_b16",
     select<Half>,
     {{{Role::Definition, ValueType::Float16},
       {Role::Use, ValueType::Float16},
       {Role::Use, ValueType::Float16},
       kMaskIn}},
     kSigns,
     nullptr},
    {"v_cndmask_b32", select<float>, {{kOut, kFloatIn, kFloatIn, kMaskIn}}, kSigns, nullptr},
};

} // namespace

Family vectorCarryFamily() {
  return kOpcodes;
}

} // namespace gpusim
