// Integer arithmetic and logic on lanes without carries.
#include <algorithm>

#include "../vector_operation.h"
#include "families.h"

namespace gpusim {

namespace {

uint32_t add(uint32_t a, uint32_t b) {
  return a + b;
}
uint32_t addSaturating(uint32_t a, uint32_t b) {
  return a + b < a ? ~0u : a + b;
}
uint32_t subtract(uint32_t a, uint32_t b) {
  return a - b;
}
uint32_t subtractSaturating(uint32_t a, uint32_t b) {
  return a < b ? 0 : a - b;
}
uint32_t subtractReversed(uint32_t a, uint32_t b) {
  return b - a;
}
uint32_t subtractReversedSaturating(uint32_t a, uint32_t b) {
  return subtractSaturating(b, a);
}
uint32_t bitAnd(uint32_t a, uint32_t b) {
  return a & b;
}
uint32_t bitOr(uint32_t a, uint32_t b) {
  return a | b;
}
uint32_t bitXor(uint32_t a, uint32_t b) {
  return a ^ b;
}
uint32_t bitNot(uint32_t a) {
  return ~a;
}

/// The vector shifts take the count first.
template <class T>
T shiftLeft(uint32_t count, T value) {
  return value << (count & (8 * sizeof(T) - 1));
}
template <class T>
T shiftRight(uint32_t count, T value) {
  return value >> (count & (8 * sizeof(T) - 1));
}

constexpr Opcode kOpcodes[] = {
    saturatingOpcode<add, addSaturating>("v_add_u32"),
    saturatingOpcode<subtract, subtractSaturating>("v_sub_u32"),
    saturatingOpcode<subtractReversed, subtractReversedSaturating>("v_subrev_u32"),
    laneOpcode<bitAnd>("v_and_b32"),
    laneOpcode<bitOr>("v_or_b32"),
    laneOpcode<bitXor>("v_xor_b32"),
    laneOpcode<bitNot>("v_not_b32"),
    laneOpcode<shiftLeft<uint32_t>>("v_lshlrev_b32"),
    laneOpcode<shiftRight<uint32_t>>("v_lshrrev_b32"),
    laneOpcode<shiftRight<int32_t>>("v_ashrrev_i32"),
    laneOpcode<shiftLeft<uint64_t>>("v_lshlrev_b64"),
    laneOpcode<shiftRight<uint64_t>>("v_lshrrev_b64"),
    laneOpcode<shiftRight<int64_t>>("v_ashrrev_i64"),
};

} // namespace

Family vectorIntegerFamily() {
  return kOpcodes;
}

} // namespace gpusim
