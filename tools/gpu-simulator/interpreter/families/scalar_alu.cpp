// Scalar arithmetic and logic: SOP1, SOP2 and SOPK without comparisons and control flow.
#include <algorithm>

#include "../scalar_operation.h"
#include "families.h"

namespace gpusim {

namespace {

template <class T>
T move(T a) {
  return a;
}
template <class T>
T conditionalMove(Destination<T> old, SccIn scc, T a) {
  return scc.value ? a : old.value;
}
template <class T>
T select(SccIn scc, T a, T b) {
  return scc.value ? a : b;
}

template <class T>
WithScc<T> bitNot(T a) {
  return sccIfNonZero<T>(~a);
}
template <class T>
WithScc<T> bitAnd(T a, T b) {
  return sccIfNonZero<T>(a & b);
}
template <class T>
WithScc<T> bitOr(T a, T b) {
  return sccIfNonZero<T>(a | b);
}
template <class T>
WithScc<T> bitXor(T a, T b) {
  return sccIfNonZero<T>(a ^ b);
}
template <class T>
WithScc<T> bitAndNot(T a, T b) {
  return sccIfNonZero<T>(a & ~b);
}
template <class T>
WithScc<T> bitOrNot(T a, T b) {
  return sccIfNonZero<T>(a | ~b);
}
template <class T>
WithScc<T> bitNand(T a, T b) {
  return sccIfNonZero<T>(~(a & b));
}
template <class T>
WithScc<T> bitNor(T a, T b) {
  return sccIfNonZero<T>(~(a | b));
}
template <class T>
WithScc<T> bitXnor(T a, T b) {
  return sccIfNonZero<T>(~(a ^ b));
}
template <class T>
WithScc<T> bitNotAnd(T a, T b) {
  return sccIfNonZero<T>(~a & b);
}
template <class T>
WithScc<T> bitNotOr(T a, T b) {
  return sccIfNonZero<T>(~a | b);
}

/// EXEC, or its lower half, as the operand of a scalar operation.
template <class T>
inline constexpr Operand kExecOperand{.index = scalar::kExec, .kind = Operand::Kind::Scalar};

/// EXEC is combined with the source, its old value goes to the destination.
template <class T, auto Combine>
Step saveExec(Wave& wave, const Instruction& instruction) {
  const auto old = readScalar<T>(wave, kExecOperand<T>);
  const WithScc<T> combined = Combine(readScalar<T>(wave, instruction.operands[1]), old);
  writeScalar<T>(wave, instruction.operands[0], old);
  writeScalar<T>(wave, kExecOperand<T>, combined.value);
  wave.setScc(combined.scc);
  return Step::Continue;
}

/// EXEC and the destination both get the combination.
template <class T, auto Combine>
Step writeExec(Wave& wave, const Instruction& instruction) {
  const WithScc<T> combined =
      Combine(readScalar<T>(wave, instruction.operands[1]), readScalar<T>(wave, kExecOperand<T>));
  writeScalar<T>(wave, instruction.operands[0], combined.value);
  writeScalar<T>(wave, kExecOperand<T>, combined.value);
  wave.setScc(combined.scc);
  return Step::Continue;
}

template <class T>
constexpr Opcode execOpcode(std::string_view mnemonic, Handler run) {
  return {mnemonic,
          run,
          {{{Role::Definition, valueTypeOf<T>()}, {Role::Use, valueTypeOf<T>()}}},
          0,
          nullptr};
}

// A macro because mnemonics are put together from literals.
#define GPUSIM_EXEC(name, kind, handler, combine)                                                  \
  execOpcode<uint64_t>("s_" name "_" kind "_b64", handler<uint64_t, combine<uint64_t>>),           \
      execOpcode<uint32_t>("s_" name "_" kind "_b32", handler<uint32_t, combine<uint32_t>>)

WithScc<uint32_t> addUnsigned(uint32_t a, uint32_t b) {
  return {a + b, a + b < a};
}
WithScc<uint32_t> subUnsigned(uint32_t a, uint32_t b) {
  return {a - b, a < b};
}
WithScc<int32_t> addSigned(int32_t a, int32_t b) {
  int32_t sum = 0;
  const bool overflow = __builtin_add_overflow(a, b, &sum);
  return {sum, overflow};
}
WithScc<int32_t> subSigned(int32_t a, int32_t b) {
  int32_t difference = 0;
  const bool overflow = __builtin_sub_overflow(a, b, &difference);
  return {difference, overflow};
}
WithScc<uint32_t> addCarry(SccIn carry, uint32_t a, uint32_t b) {
  const uint64_t sum = uint64_t{a} + b + carry.value;
  return {static_cast<uint32_t>(sum), sum >> 32 != 0};
}
WithScc<uint32_t> subBorrow(SccIn borrow, uint32_t a, uint32_t b) {
  const uint64_t difference = uint64_t{a} - b - borrow.value;
  return {static_cast<uint32_t>(difference), difference >> 32 != 0};
}
template <class T>
WithScc<T> minimum(T a, T b) {
  return {a < b ? a : b, a < b};
}
template <class T>
WithScc<T> maximum(T a, T b) {
  return {a >= b ? a : b, a >= b};
}
uint32_t multiply(uint32_t a, uint32_t b) {
  return a * b;
}
uint32_t multiplyHighUnsigned(uint32_t a, uint32_t b) {
  return static_cast<uint32_t>(uint64_t{a} * b >> 32);
}
int32_t multiplyHighSigned(int32_t a, int32_t b) {
  return static_cast<int32_t>(int64_t{a} * b >> 32);
}
WithScc<int32_t> addImmediate(Destination<int32_t> old, int32_t immediate) {
  return addSigned(old.value, immediate);
}
uint32_t multiplyImmediate(Destination<uint32_t> old, uint32_t immediate) {
  return old.value * immediate;
}
template <unsigned Shift>
WithScc<uint32_t> shiftLeftAdd(uint32_t a, uint32_t b) {
  const uint64_t sum = (uint64_t{a} << Shift) + b;
  return {static_cast<uint32_t>(sum), sum >> 32 != 0};
}
WithScc<uint32_t> absolute(int32_t a) {
  const auto bits = static_cast<uint32_t>(a);
  return sccIfNonZero(a < 0 ? 0 - bits : bits);
}
WithScc<uint32_t> absoluteDifference(int32_t a, int32_t b) {
  const auto difference = static_cast<uint32_t>(a) - static_cast<uint32_t>(b);
  return sccIfNonZero(a < b ? 0 - difference : difference);
}

template <class T>
inline constexpr uint32_t kShiftMask = 8 * sizeof(T) - 1;

template <class T>
WithScc<T> shiftLeft(T a, uint32_t count) {
  return sccIfNonZero<T>(a << (count & kShiftMask<T>));
}
template <class T>
WithScc<T> shiftRight(T a, uint32_t count) {
  return sccIfNonZero<T>(a >> (count & kShiftMask<T>));
}
template <class T>
T fieldMask(uint32_t width, uint32_t offset) {
  return ((T{1} << (width & kShiftMask<T>)) - 1) << (offset & kShiftMask<T>);
}
/// `field`: offset from bit 0, width from bit 16.
template <class T>
WithScc<T> extractField(T a, uint32_t field) {
  using Bits = std::make_unsigned_t<T>;
  constexpr uint32_t kWidth = 8 * sizeof(T);
  const uint32_t offset = field & kShiftMask<T>;
  const uint32_t width = std::min(field >> 16 & 0x7f, kWidth - offset);
  if (width == 0) {
    return {0, false};
  }
  const auto top = static_cast<T>(static_cast<Bits>(a) << (kWidth - offset - width));
  return sccIfNonZero<T>(top >> (kWidth - width));
}

template <class T>
T reverseBits(T a) {
  T result = 0;
  for (unsigned bit = 0; bit < 8 * sizeof(T); ++bit) {
    result |= (a >> bit & 1) << (8 * sizeof(T) - 1 - bit);
  }
  return result;
}
template <class T>
WithScc<uint32_t> countOnes(T a) {
  return sccIfNonZero(static_cast<uint32_t>(__builtin_popcountll(a)));
}
template <class T>
WithScc<uint32_t> countZeros(T a) {
  return countOnes<T>(~a);
}
template <class T>
uint32_t findFirstOne(T a) {
  return a == 0 ? ~0u : static_cast<uint32_t>(__builtin_ctzll(a));
}
template <class T>
uint32_t findFirstZero(T a) {
  return findFirstOne<T>(~a);
}
template <class T>
uint32_t findLastOne(T a) { // counted from the top
  return a == 0 ? ~0u
                : static_cast<uint32_t>(__builtin_clzll(a)) -
                      (64 - 8 * static_cast<uint32_t>(sizeof(T)));
}
template <class T>
uint32_t findLastDifferent(T a) { // from the sign bit, counted from the top
  using Bits = std::make_unsigned_t<T>;
  return findLastOne<Bits>(static_cast<Bits>(a < 0 ? ~a : a));
}
template <class Narrow>
int32_t signExtend(uint32_t a) {
  return static_cast<Narrow>(a);
}
template <class T>
T setBit(Destination<T> old, uint32_t bit) {
  return old.value | T{1} << (bit & kShiftMask<T>);
}
template <class T>
T clearBit(Destination<T> old, uint32_t bit) {
  return old.value & ~(T{1} << (bit & kShiftMask<T>));
}
uint64_t replicateBits(uint32_t a) {
  uint64_t result = 0;
  for (unsigned bit = 0; bit < 32; ++bit) {
    result |= (a >> bit & 1) * (uint64_t{3} << 2 * bit);
  }
  return result;
}
template <bool HighA, bool HighB>
uint32_t packHalves(uint32_t a, uint32_t b) {
  return (HighA ? a >> 16 : a & 0xffff) | (HighB ? b >> 16 : b & 0xffff) << 16;
}
/// A bit per group of four: set when any of the four is.
template <class T>
WithScc<T> quadMask(T a) {
  T result = 0;
  for (unsigned quad = 0; quad < 2 * sizeof(T); ++quad) {
    result |= (a >> 4 * quad & 0xf) != 0 ? T{1} << quad : 0;
  }
  return sccIfNonZero(result);
}
/// Whole quads: all four bits set when any of the four is.
template <class T>
WithScc<T> wholeQuads(T a) {
  T result = 0;
  for (unsigned quad = 0; quad < 2 * sizeof(T); ++quad) {
    result |= (a >> 4 * quad & 0xf) != 0 ? T{0xf} << 4 * quad : 0;
  }
  return sccIfNonZero(result);
}

constexpr Role kSigned = Role::SignedImmediate;

constexpr Opcode kOpcodes[] = {
    scalarOpcode<move<uint32_t>>("s_mov_b32"),
    scalarOpcode<move<uint64_t>>("s_mov_b64"),
    scalarOpcode<move<int32_t>>("s_movk_i32", kSigned),
    scalarOpcode<conditionalMove<uint32_t>>("s_cmov_b32"),
    scalarOpcode<conditionalMove<uint64_t>>("s_cmov_b64"),
    scalarOpcode<conditionalMove<int32_t>>("s_cmovk_i32", kSigned),
    scalarOpcode<select<uint32_t>>("s_cselect_b32"),
    scalarOpcode<select<uint64_t>>("s_cselect_b64"),
    scalarOpcode<bitNot<uint32_t>>("s_not_b32"),
    scalarOpcode<bitNot<uint64_t>>("s_not_b64"),
    scalarOpcode<bitAnd<uint32_t>>("s_and_b32"),
    scalarOpcode<bitAnd<uint64_t>>("s_and_b64"),
    scalarOpcode<bitOr<uint32_t>>("s_or_b32"),
    scalarOpcode<bitOr<uint64_t>>("s_or_b64"),
    scalarOpcode<bitXor<uint32_t>>("s_xor_b32"),
    scalarOpcode<bitXor<uint64_t>>("s_xor_b64"),
    scalarOpcode<bitAndNot<uint32_t>>("s_andn2_b32"),
    scalarOpcode<bitAndNot<uint64_t>>("s_andn2_b64"),
    scalarOpcode<bitOrNot<uint32_t>>("s_orn2_b32"),
    scalarOpcode<bitOrNot<uint64_t>>("s_orn2_b64"),
    scalarOpcode<bitNand<uint32_t>>("s_nand_b32"),
    scalarOpcode<bitNand<uint64_t>>("s_nand_b64"),
    scalarOpcode<bitNor<uint32_t>>("s_nor_b32"),
    scalarOpcode<bitNor<uint64_t>>("s_nor_b64"),
    scalarOpcode<bitXnor<uint32_t>>("s_xnor_b32"),
    scalarOpcode<bitXnor<uint64_t>>("s_xnor_b64"),
    GPUSIM_EXEC("and", "saveexec", saveExec, bitAnd),
    GPUSIM_EXEC("or", "saveexec", saveExec, bitOr),
    GPUSIM_EXEC("xor", "saveexec", saveExec, bitXor),
    GPUSIM_EXEC("andn2", "saveexec", saveExec, bitAndNot),
    GPUSIM_EXEC("orn2", "saveexec", saveExec, bitOrNot),
    GPUSIM_EXEC("nand", "saveexec", saveExec, bitNand),
    GPUSIM_EXEC("nor", "saveexec", saveExec, bitNor),
    GPUSIM_EXEC("xnor", "saveexec", saveExec, bitXnor),
    GPUSIM_EXEC("andn1", "saveexec", saveExec, bitNotAnd),
    GPUSIM_EXEC("orn1", "saveexec", saveExec, bitNotOr),
    GPUSIM_EXEC("andn1", "wrexec", writeExec, bitNotAnd),
    GPUSIM_EXEC("andn2", "wrexec", writeExec, bitAndNot),
    scalarOpcode<addUnsigned>("s_add_u32"),
    scalarOpcode<subUnsigned>("s_sub_u32"),
    scalarOpcode<addSigned>("s_add_i32"),
    scalarOpcode<subSigned>("s_sub_i32"),
    scalarOpcode<addCarry>("s_addc_u32"),
    scalarOpcode<subBorrow>("s_subb_u32"),
    scalarOpcode<minimum<int32_t>>("s_min_i32"),
    scalarOpcode<minimum<uint32_t>>("s_min_u32"),
    scalarOpcode<maximum<int32_t>>("s_max_i32"),
    scalarOpcode<maximum<uint32_t>>("s_max_u32"),
    scalarOpcode<multiply>("s_mul_i32"),
    scalarOpcode<multiplyHighUnsigned>("s_mul_hi_u32"),
    scalarOpcode<multiplyHighSigned>("s_mul_hi_i32"),
    scalarOpcode<addImmediate>("s_addk_i32", kSigned),
    scalarOpcode<multiplyImmediate>("s_mulk_i32", kSigned),
    scalarOpcode<shiftLeftAdd<1>>("s_lshl1_add_u32"),
    scalarOpcode<shiftLeftAdd<2>>("s_lshl2_add_u32"),
    scalarOpcode<shiftLeftAdd<3>>("s_lshl3_add_u32"),
    scalarOpcode<shiftLeftAdd<4>>("s_lshl4_add_u32"),
    scalarOpcode<absolute>("s_abs_i32"),
    scalarOpcode<absoluteDifference>("s_absdiff_i32"),
    scalarOpcode<shiftLeft<uint32_t>>("s_lshl_b32"),
    scalarOpcode<shiftLeft<uint64_t>>("s_lshl_b64"),
    scalarOpcode<shiftRight<uint32_t>>("s_lshr_b32"),
    scalarOpcode<shiftRight<uint64_t>>("s_lshr_b64"),
    scalarOpcode<shiftRight<int32_t>>("s_ashr_i32"),
    scalarOpcode<shiftRight<int64_t>>("s_ashr_i64"),
    scalarOpcode<fieldMask<uint32_t>>("s_bfm_b32"),
    scalarOpcode<fieldMask<uint64_t>>("s_bfm_b64"),
    scalarOpcode<extractField<uint32_t>>("s_bfe_u32"),
    scalarOpcode<extractField<int32_t>>("s_bfe_i32"),
    scalarOpcode<extractField<uint64_t>>("s_bfe_u64"),
    scalarOpcode<extractField<int64_t>>("s_bfe_i64"),
    scalarOpcode<reverseBits<uint32_t>>("s_brev_b32"),
    scalarOpcode<reverseBits<uint64_t>>("s_brev_b64"),
    scalarOpcode<countZeros<uint32_t>>("s_bcnt0_i32_b32"),
    scalarOpcode<countZeros<uint64_t>>("s_bcnt0_i32_b64"),
    scalarOpcode<countOnes<uint32_t>>("s_bcnt1_i32_b32"),
    scalarOpcode<countOnes<uint64_t>>("s_bcnt1_i32_b64"),
    scalarOpcode<findFirstZero<uint32_t>>("s_ff0_i32_b32"),
    scalarOpcode<findFirstZero<uint64_t>>("s_ff0_i32_b64"),
    scalarOpcode<findFirstOne<uint32_t>>("s_ff1_i32_b32"),
    scalarOpcode<findFirstOne<uint64_t>>("s_ff1_i32_b64"),
    scalarOpcode<findLastOne<uint32_t>>("s_flbit_i32_b32"),
    scalarOpcode<findLastOne<uint64_t>>("s_flbit_i32_b64"),
    scalarOpcode<findLastDifferent<int32_t>>("s_flbit_i32"),
    scalarOpcode<findLastDifferent<int64_t>>("s_flbit_i32_i64"),
    scalarOpcode<signExtend<int8_t>>("s_sext_i32_i8"),
    scalarOpcode<signExtend<int16_t>>("s_sext_i32_i16"),
    scalarOpcode<clearBit<uint32_t>>("s_bitset0_b32"),
    scalarOpcode<clearBit<uint64_t>>("s_bitset0_b64"),
    scalarOpcode<setBit<uint32_t>>("s_bitset1_b32"),
    scalarOpcode<setBit<uint64_t>>("s_bitset1_b64"),
    scalarOpcode<replicateBits>("s_bitreplicate_b64_b32"),
    scalarOpcode<packHalves<false, false>>("s_pack_ll_b32_b16"),
    scalarOpcode<packHalves<false, true>>("s_pack_lh_b32_b16"),
    scalarOpcode<packHalves<true, true>>("s_pack_hh_b32_b16"),
    scalarOpcode<packHalves<true, false>>("s_pack_hl_b32_b16"),
    scalarOpcode<quadMask<uint32_t>>("s_quadmask_b32"),
    scalarOpcode<quadMask<uint64_t>>("s_quadmask_b64"),
    scalarOpcode<wholeQuads<uint32_t>>("s_wqm_b32"),
    scalarOpcode<wholeQuads<uint64_t>>("s_wqm_b64"),
};

#undef GPUSIM_EXEC

} // namespace

Family scalarAluFamily() {
  return kOpcodes;
}

} // namespace gpusim
