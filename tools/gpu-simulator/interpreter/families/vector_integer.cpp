// Integer arithmetic and logic on 32- and 64-bit lanes, without carries.
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
int32_t saturate(int64_t value) {
  return static_cast<int32_t>(std::clamp<int64_t>(value, INT32_MIN, INT32_MAX));
}
int32_t addSignedSaturating(int32_t a, int32_t b) {
  return saturate(int64_t{a} + b);
}
int32_t subtractSignedSaturating(int32_t a, int32_t b) {
  return saturate(int64_t{a} - b);
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
uint32_t bitXnor(uint32_t a, uint32_t b) {
  return ~(a ^ b);
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

uint32_t multiplyLow(uint32_t a, uint32_t b) {
  return a * b;
}
uint32_t multiplyHighUnsigned(uint32_t a, uint32_t b) {
  return static_cast<uint32_t>(uint64_t{a} * b >> 32);
}
int32_t multiplyHighSigned(int32_t a, int32_t b) {
  return static_cast<int32_t>(int64_t{a} * b >> 32);
}
uint32_t unsigned24(uint32_t a) {
  return a & 0xffffff;
}
int32_t signed24(int32_t a) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) << 8) >> 8;
}
uint32_t multiplyUnsigned24(uint32_t a, uint32_t b) {
  return unsigned24(a) * unsigned24(b);
}
uint32_t multiplySigned24(int32_t a, int32_t b) {
  return static_cast<uint32_t>(signed24(a)) * static_cast<uint32_t>(signed24(b));
}
uint32_t multiplyHighUnsigned24(uint32_t a, uint32_t b) {
  return multiplyHighUnsigned(unsigned24(a), unsigned24(b));
}
int32_t multiplyHighSigned24(int32_t a, int32_t b) {
  return multiplyHighSigned(signed24(a), signed24(b));
}
uint32_t multiplyAddUnsigned24(uint32_t a, uint32_t b, uint32_t c) {
  return multiplyUnsigned24(a, b) + c;
}
uint32_t multiplyAddSigned24(int32_t a, int32_t b, uint32_t c) {
  return multiplySigned24(a, b) + c;
}

uint32_t add3(uint32_t a, uint32_t b, uint32_t c) {
  return a + b + c;
}
uint32_t shiftLeftAdd(uint32_t a, uint32_t b, uint32_t c) {
  return (a << (b & 31)) + c;
}
uint64_t shiftLeftAdd64(uint64_t a, uint32_t b, uint64_t c) {
  return (a << (b & 7)) + c;
}
uint32_t addShiftLeft(uint32_t a, uint32_t b, uint32_t c) {
  return (a + b) << (c & 31);
}
uint32_t shiftLeftOr(uint32_t a, uint32_t b, uint32_t c) {
  return a << (b & 31) | c;
}
uint32_t andOr(uint32_t a, uint32_t b, uint32_t c) {
  return (a & b) | c;
}
uint32_t or3(uint32_t a, uint32_t b, uint32_t c) {
  return a | b | c;
}
template <class T>
T maximumThenMinimum(T a, T b, T c) {
  return std::min(std::max(a, b), c);
}
template <class T>
T minimumThenMaximum(T a, T b, T c) {
  return std::max(std::min(a, b), c);
}
uint32_t xor3(uint32_t a, uint32_t b, uint32_t c) {
  return a ^ b ^ c;
}
uint32_t xorAdd(uint32_t a, uint32_t b, uint32_t c) {
  return (a ^ b) + c;
}

uint32_t extractUnsigned(uint32_t a, uint32_t offset, uint32_t width) {
  return a >> (offset & 31) & ((1u << (width & 31)) - 1);
}
int32_t extractSigned(int32_t a, uint32_t offset, uint32_t width) {
  const uint32_t low = offset & 31;
  const uint32_t count = width & 31;
  if (low + count >= 32) {
    return count == 0 ? 0 : a >> low;
  }
  const auto top = static_cast<int32_t>(static_cast<uint32_t>(a) << ((32 - low - count) & 31));
  return count == 0 ? 0 : top >> (32 - count);
}
uint32_t insertBits(uint32_t mask, uint32_t a, uint32_t b) {
  return (mask & a) | (~mask & b);
}
uint32_t fieldMask(uint32_t width, uint32_t offset) {
  return ((1u << (width & 31)) - 1) << (offset & 31);
}
uint32_t alignBits(uint32_t high, uint32_t low, uint32_t count) {
  return static_cast<uint32_t>((uint64_t{high} << 32 | low) >> (count & 31));
}
uint32_t alignBytes(uint32_t high, uint32_t low, uint32_t count) {
  return static_cast<uint32_t>((uint64_t{high} << 32 | low) >> 8 * (count & 3));
}

/// Selector values 8 to 11 replicate the sign of a half, 12 is 0, larger ones are 0xff.
uint32_t selectByte(uint64_t bytes, uint32_t selector) {
  if (selector < 8) {
    return static_cast<uint32_t>(bytes >> 8 * selector) & 0xff;
  }
  if (selector < 12) {
    return (bytes >> (16 * (selector - 8) + 15) & 1) != 0 ? 0xff : 0;
  }
  return selector == 12 ? 0 : 0xff;
}
uint32_t permuteBytes(uint32_t high, uint32_t low, uint32_t selectors) {
  const uint64_t bytes = uint64_t{high} << 32 | low;
  uint32_t result = 0;
  for (unsigned index = 0; index < 4; ++index) {
    result |= selectByte(bytes, selectors >> 8 * index & 0xff) << 8 * index;
  }
  return result;
}

uint32_t reverseBits(uint32_t a) {
  a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
  a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
  a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(a);
}
uint32_t findFirstHigh(uint32_t a) {
  return a == 0 ? ~0u : static_cast<uint32_t>(__builtin_clz(a));
}
uint32_t findFirstHighSigned(int32_t a) {
  return findFirstHigh(static_cast<uint32_t>(a < 0 ? ~a : a));
}
uint32_t findFirstLow(uint32_t a) {
  return a == 0 ? ~0u : static_cast<uint32_t>(__builtin_ctz(a));
}
uint32_t countBits(uint32_t a, uint32_t b) {
  return static_cast<uint32_t>(__builtin_popcount(a)) + b;
}

uint32_t difference(uint32_t a, uint32_t b) {
  return a > b ? a - b : b - a;
}
template <unsigned kBits>
uint32_t sumOfDifferences(uint32_t a, uint32_t b) {
  constexpr uint32_t kMask = (1u << kBits) - 1;
  uint32_t sum = 0;
  for (unsigned shift = 0; shift < 32; shift += kBits) {
    sum += difference(a >> shift & kMask, b >> shift & kMask);
  }
  return sum;
}
uint32_t differencesU8(uint32_t a, uint32_t b, uint32_t c) {
  return sumOfDifferences<8>(a, b) + c;
}
uint32_t differencesHighU8(uint32_t a, uint32_t b, uint32_t c) {
  return (sumOfDifferences<8>(a, b) << 16) + c;
}
uint32_t differencesU16(uint32_t a, uint32_t b, uint32_t c) {
  return sumOfDifferences<16>(a, b) + c;
}
uint32_t differenceU32(uint32_t a, uint32_t b, uint32_t c) {
  return difference(a, b) + c;
}
/// Bytes whose reference (the second source) is 0 do not count.
uint32_t maskedDifferencesU8(uint32_t a, uint32_t b, uint32_t c) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    const uint32_t reference = b >> shift & 0xff;
    c += reference == 0 ? 0 : difference(a >> shift & 0xff, reference);
  }
  return c;
}
uint32_t averageU8(uint32_t a, uint32_t b, uint32_t rounding) {
  uint32_t result = 0;
  for (unsigned shift = 0; shift < 32; shift += 8) {
    const uint32_t sum = (a >> shift & 0xff) + (b >> shift & 0xff) + (rounding >> shift & 1);
    result |= (sum >> 1) << shift;
  }
  return result;
}

constexpr Opcode kOpcodes[] = {
    saturatingOpcode<add, addSaturating>("v_add_u32"),
    saturatingOpcode<subtract, subtractSaturating>("v_sub_u32"),
    saturatingOpcode<subtractReversed, subtractReversedSaturating>("v_subrev_u32"),
    saturatingOpcode<add, addSignedSaturating>("v_add_i32"),
    saturatingOpcode<subtract, subtractSignedSaturating>("v_sub_i32"),
    laneOpcode<bitAnd>("v_and_b32"),
    laneOpcode<bitOr>("v_or_b32"),
    laneOpcode<bitXor>("v_xor_b32"),
    laneOpcode<bitXnor>("v_xnor_b32"),
    laneOpcode<bitNot>("v_not_b32"),
    countedOpcode<shiftLeft<uint32_t>, 0>("v_lshlrev_b32"),
    countedOpcode<shiftRight<uint32_t>, 0>("v_lshrrev_b32"),
    countedOpcode<shiftRight<int32_t>, 0>("v_ashrrev_i32"),
    countedOpcode<shiftLeft<uint64_t>, 0>("v_lshlrev_b64"),
    countedOpcode<shiftRight<uint64_t>, 0>("v_lshrrev_b64"),
    countedOpcode<shiftRight<int64_t>, 0>("v_ashrrev_i64"),
    laneOpcode<minimum<uint32_t>>("v_min_u32"),
    laneOpcode<minimum<int32_t>>("v_min_i32"),
    laneOpcode<maximum<uint32_t>>("v_max_u32"),
    laneOpcode<maximum<int32_t>>("v_max_i32"),
    laneOpcode<minimum3<uint32_t>>("v_min3_u32"),
    laneOpcode<minimum3<int32_t>>("v_min3_i32"),
    laneOpcode<maximum3<uint32_t>>("v_max3_u32"),
    laneOpcode<maximum3<int32_t>>("v_max3_i32"),
    laneOpcode<maximumThenMinimum<uint32_t>>("v_maxmin_u32"),
    laneOpcode<maximumThenMinimum<int32_t>>("v_maxmin_i32"),
    laneOpcode<minimumThenMaximum<uint32_t>>("v_minmax_u32"),
    laneOpcode<minimumThenMaximum<int32_t>>("v_minmax_i32"),
    laneOpcode<median<uint32_t>>("v_med3_u32"),
    laneOpcode<median<int32_t>>("v_med3_i32"),
    laneOpcode<multiplyLow>("v_mul_lo_u32"),
    laneOpcode<multiplyHighUnsigned>("v_mul_hi_u32"),
    laneOpcode<multiplyHighSigned>("v_mul_hi_i32"),
    laneOpcode<multiplyUnsigned24>("v_mul_u32_u24"),
    laneOpcode<multiplySigned24>("v_mul_i32_i24"),
    laneOpcode<multiplyHighUnsigned24>("v_mul_hi_u32_u24"),
    laneOpcode<multiplyHighSigned24>("v_mul_hi_i32_i24"),
    laneOpcode<multiplyAddUnsigned24>("v_mad_u32_u24"),
    laneOpcode<multiplyAddSigned24>("v_mad_i32_i24"),
    laneOpcode<add3>("v_add3_u32"),
    countedOpcode<shiftLeftAdd, 1>("v_lshl_add_u32"),
    countedOpcode<shiftLeftAdd64, 1>("v_lshl_add_u64"),
    countedOpcode<addShiftLeft, 2>("v_add_lshl_u32"),
    countedOpcode<shiftLeftOr, 1>("v_lshl_or_b32"),
    laneOpcode<andOr>("v_and_or_b32"),
    laneOpcode<or3>("v_or3_b32"),
    laneOpcode<xor3>("v_xor3_b32"),
    laneOpcode<xorAdd>("v_xad_u32"),
    countedOpcode<extractUnsigned, 1, 2>("v_bfe_u32"),
    countedOpcode<extractSigned, 1, 2>("v_bfe_i32"),
    laneOpcode<insertBits>("v_bfi_b32"),
    laneOpcode<fieldMask>("v_bfm_b32"),
    countedOpcode<alignBits, 2>("v_alignbit_b32"),
    countedOpcode<alignBytes, 2>("v_alignbyte_b32"),
    laneOpcode<permuteBytes>("v_perm_b32"),
    laneOpcode<reverseBits>("v_bfrev_b32"),
    laneOpcode<findFirstHigh>("v_ffbh_u32"),
    laneOpcode<findFirstHighSigned>("v_ffbh_i32"),
    laneOpcode<findFirstLow>("v_ffbl_b32"),
    laneOpcode<countBits>("v_bcnt_u32_b32"),
    laneOpcode<differencesU8>("v_sad_u8"),
    laneOpcode<differencesHighU8>("v_sad_hi_u8"),
    laneOpcode<differencesU16>("v_sad_u16"),
    laneOpcode<differenceU32>("v_sad_u32"),
    laneOpcode<maskedDifferencesU8>("v_msad_u8"),
    laneOpcode<averageU8>("v_lerp_u8"),
};

} // namespace

Family vectorIntegerFamily() {
  return kOpcodes;
}

} // namespace gpusim
