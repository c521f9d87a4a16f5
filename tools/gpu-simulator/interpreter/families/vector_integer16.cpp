// Integer arithmetic on 16-bit lanes. VOP1 and VOP2 forms clear the upper half of the destination;
// VOP3 forms with op_sel keep the half they do not write.
#include <algorithm>

#include "../vector_operation.h"
#include "families.h"

namespace gpusim {

namespace {

uint16_t add(uint16_t a, uint16_t b) {
  return static_cast<uint16_t>(a + b);
}
uint16_t subtract(uint16_t a, uint16_t b) {
  return static_cast<uint16_t>(a - b);
}
uint16_t subtractReversed(uint16_t a, uint16_t b) {
  return static_cast<uint16_t>(b - a);
}
uint16_t saturateUnsigned(int value) {
  return static_cast<uint16_t>(std::clamp(value, 0, UINT16_MAX));
}
uint16_t addSaturating(uint16_t a, uint16_t b) {
  return saturateUnsigned(a + b);
}
uint16_t subtractSaturating(uint16_t a, uint16_t b) {
  return saturateUnsigned(a - b);
}
uint16_t subtractReversedSaturating(uint16_t a, uint16_t b) {
  return saturateUnsigned(b - a);
}
int16_t saturateSigned(int value) {
  return static_cast<int16_t>(std::clamp(value, INT16_MIN, INT16_MAX));
}
int16_t addSignedSaturating(int16_t a, int16_t b) {
  return saturateSigned(a + b);
}
int16_t subtractSignedSaturating(int16_t a, int16_t b) {
  return saturateSigned(a - b);
}
uint16_t multiply(uint16_t a, uint16_t b) {
  return static_cast<uint16_t>(static_cast<uint32_t>(a) * b);
}
uint16_t multiplyAdd(uint16_t a, uint16_t b, uint16_t c) {
  return static_cast<uint16_t>(static_cast<uint32_t>(a) * b + c);
}
uint32_t multiplyAddUnsigned32(uint16_t a, uint16_t b, uint32_t c) {
  return static_cast<uint32_t>(a) * b + c;
}
uint32_t multiplyAddSigned32(int16_t a, int16_t b, uint32_t c) {
  return static_cast<uint32_t>(a * b) + c;
}

template <class T>
T shiftLeft(uint16_t count, T value) {
  return static_cast<T>(value << (count & 15));
}
template <class T>
T shiftRight(uint16_t count, T value) {
  return static_cast<T>(value >> (count & 15));
}
template <class T>
T minimum(T a, T b) {
  return std::min(a, b);
}
template <class T>
T maximum(T a, T b) {
  return std::max(a, b);
}
template <class T>
T minimum3(T a, T b, T c) {
  return std::min(std::min(a, b), c);
}
template <class T>
T maximum3(T a, T b, T c) {
  return std::max(std::max(a, b), c);
}
template <class T>
T median(T a, T b, T c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

uint16_t bitAnd(uint16_t a, uint16_t b) {
  return a & b;
}
uint16_t bitOr(uint16_t a, uint16_t b) {
  return a | b;
}
uint16_t bitXor(uint16_t a, uint16_t b) {
  return a ^ b;
}
uint16_t bitNot(uint16_t a) {
  return static_cast<uint16_t>(~a);
}
uint16_t move(uint16_t a) {
  return a;
}
int32_t signExtended(int16_t a) {
  return a;
}
uint32_t zeroExtended(uint16_t a) {
  return a;
}

constexpr Opcode kOpcodes[] = {
    saturatingOpcode<add, addSaturating>("v_add_u16"),
    saturatingOpcode<subtract, subtractSaturating>("v_sub_u16"),
    saturatingOpcode<subtractReversed, subtractReversedSaturating>("v_subrev_u16"),
    saturatingOpcode<add, addSignedSaturating>("v_add_i16", kOpSel),
    saturatingOpcode<subtract, subtractSignedSaturating>("v_sub_i16", kOpSel),
    laneOpcode<bitAnd>("v_and_b16"),
    laneOpcode<bitOr>("v_or_b16"),
    laneOpcode<bitXor>("v_xor_b16"),
    laneOpcode<bitNot>("v_not_b16"),
    laneOpcode<move>("v_mov_b16"),
    laneOpcode<signExtended>("v_cvt_i32_i16"),
    laneOpcode<zeroExtended>("v_cvt_u32_u16"),
    laneOpcode<multiply>("v_mul_lo_u16"),
    laneOpcode<multiplyAdd>("v_mad_u16", kOpSel),
    laneOpcode<multiplyAdd>("v_mad_i16", kOpSel),
    laneOpcode<multiplyAdd>("v_mad_legacy_u16"),
    laneOpcode<multiplyAdd>("v_mad_legacy_i16"),
    laneOpcode<multiplyAddUnsigned32>("v_mad_u32_u16", kOpSel),
    laneOpcode<multiplyAddSigned32>("v_mad_i32_i16", kOpSel),
    laneOpcode<shiftLeft<uint16_t>>("v_lshlrev_b16"),
    laneOpcode<shiftRight<uint16_t>>("v_lshrrev_b16"),
    laneOpcode<shiftRight<int16_t>>("v_ashrrev_i16"),
    laneOpcode<minimum<uint16_t>>("v_min_u16"),
    laneOpcode<minimum<int16_t>>("v_min_i16"),
    laneOpcode<maximum<uint16_t>>("v_max_u16"),
    laneOpcode<maximum<int16_t>>("v_max_i16"),
    laneOpcode<minimum3<uint16_t>>("v_min3_u16", kOpSel),
    laneOpcode<minimum3<int16_t>>("v_min3_i16", kOpSel),
    laneOpcode<maximum3<uint16_t>>("v_max3_u16", kOpSel),
    laneOpcode<maximum3<int16_t>>("v_max3_i16", kOpSel),
    laneOpcode<median<uint16_t>>("v_med3_u16", kOpSel),
    laneOpcode<median<int16_t>>("v_med3_i16", kOpSel),
};

} // namespace

Family vectorInteger16Family() {
  return kOpcodes;
}

} // namespace gpusim
