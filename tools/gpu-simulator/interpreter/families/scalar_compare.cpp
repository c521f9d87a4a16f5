// Scalar comparisons into SCC: SOPC and the comparing half of SOPK.
#include "../scalar_operation.h"
#include "families.h"

namespace gpusim {

namespace {

template <class T>
bool equal(T a, T b) {
  return a == b;
}
template <class T>
bool notEqual(T a, T b) {
  return a != b;
}
template <class T>
bool greater(T a, T b) {
  return a > b;
}
template <class T>
bool greaterOrEqual(T a, T b) {
  return a >= b;
}
template <class T>
bool less(T a, T b) {
  return a < b;
}
template <class T>
bool lessOrEqual(T a, T b) {
  return a <= b;
}
template <class T>
bool bitSet(T a, uint32_t bit) {
  return (a >> (bit & (8 * sizeof(T) - 1)) & 1) != 0;
}
template <class T>
bool bitClear(T a, uint32_t bit) {
  return !bitSet<T>(a, bit);
}

constexpr Role kSigned = Role::SignedImmediate;
constexpr Role kUnsigned = Role::UnsignedImmediate;

constexpr Opcode kOpcodes[] = {
    scalarOpcode<equal<int32_t>>("s_cmp_eq_i32"),
    scalarOpcode<notEqual<int32_t>>("s_cmp_lg_i32"),
    scalarOpcode<greater<int32_t>>("s_cmp_gt_i32"),
    scalarOpcode<greaterOrEqual<int32_t>>("s_cmp_ge_i32"),
    scalarOpcode<less<int32_t>>("s_cmp_lt_i32"),
    scalarOpcode<lessOrEqual<int32_t>>("s_cmp_le_i32"),
    scalarOpcode<equal<uint32_t>>("s_cmp_eq_u32"),
    scalarOpcode<notEqual<uint32_t>>("s_cmp_lg_u32"),
    scalarOpcode<greater<uint32_t>>("s_cmp_gt_u32"),
    scalarOpcode<greaterOrEqual<uint32_t>>("s_cmp_ge_u32"),
    scalarOpcode<less<uint32_t>>("s_cmp_lt_u32"),
    scalarOpcode<lessOrEqual<uint32_t>>("s_cmp_le_u32"),
    scalarOpcode<equal<uint64_t>>("s_cmp_eq_u64"),
    scalarOpcode<notEqual<uint64_t>>("s_cmp_lg_u64"),
    scalarOpcode<bitClear<uint32_t>>("s_bitcmp0_b32"),
    scalarOpcode<bitClear<uint64_t>>("s_bitcmp0_b64"),
    scalarOpcode<bitSet<uint32_t>>("s_bitcmp1_b32"),
    scalarOpcode<bitSet<uint64_t>>("s_bitcmp1_b64"),
    scalarOpcode<equal<int32_t>>("s_cmpk_eq_i32", kSigned),
    scalarOpcode<notEqual<int32_t>>("s_cmpk_lg_i32", kSigned),
    scalarOpcode<greater<int32_t>>("s_cmpk_gt_i32", kSigned),
    scalarOpcode<greaterOrEqual<int32_t>>("s_cmpk_ge_i32", kSigned),
    scalarOpcode<less<int32_t>>("s_cmpk_lt_i32", kSigned),
    scalarOpcode<lessOrEqual<int32_t>>("s_cmpk_le_i32", kSigned),
    scalarOpcode<equal<uint32_t>>("s_cmpk_eq_u32", kUnsigned),
    scalarOpcode<notEqual<uint32_t>>("s_cmpk_lg_u32", kUnsigned),
    scalarOpcode<greater<uint32_t>>("s_cmpk_gt_u32", kUnsigned),
    scalarOpcode<greaterOrEqual<uint32_t>>("s_cmpk_ge_u32", kUnsigned),
    scalarOpcode<less<uint32_t>>("s_cmpk_lt_u32", kUnsigned),
    scalarOpcode<lessOrEqual<uint32_t>>("s_cmpk_le_u32", kUnsigned),
};

} // namespace

Family scalarCompareFamily() {
  return kOpcodes;
}

} // namespace gpusim
