// Comparisons of integer lanes into a mask (VOPC).
#include "../vector_compare.h"
#include "families.h"

namespace gpusim {

namespace {

template <class T>
bool never(T, T) {
  return false;
}
template <class T>
bool less(T a, T b) {
  return a < b;
}
template <class T>
bool equal(T a, T b) {
  return a == b;
}
template <class T>
bool lessOrEqual(T a, T b) {
  return a <= b;
}
template <class T>
bool greater(T a, T b) {
  return a > b;
}
template <class T>
bool notEqual(T a, T b) {
  return a != b;
}
template <class T>
bool greaterOrEqual(T a, T b) {
  return a >= b;
}
template <class T>
bool always(T, T) {
  return true;
}

// A macro because mnemonics are put together from literals.
#define GPUSIM_COMPARE(name, T, predicate)                                                         \
  compareOpcode<predicate<T>>("v_cmp_" name), compareExecOpcode<predicate<T>>("v_cmpx_" name)
#define GPUSIM_COMPARES(type, T)                                                                   \
  GPUSIM_COMPARE("f_" type, T, never), GPUSIM_COMPARE("lt_" type, T, less),                        \
      GPUSIM_COMPARE("eq_" type, T, equal), GPUSIM_COMPARE("le_" type, T, lessOrEqual),            \
      GPUSIM_COMPARE("gt_" type, T, greater), GPUSIM_COMPARE("ne_" type, T, notEqual),             \
      GPUSIM_COMPARE("ge_" type, T, greaterOrEqual), GPUSIM_COMPARE("t_" type, T, always)

constexpr Opcode kOpcodes[] = {
    GPUSIM_COMPARES("i16", int16_t), GPUSIM_COMPARES("u16", uint16_t),
    GPUSIM_COMPARES("i32", int32_t), GPUSIM_COMPARES("u32", uint32_t),
    GPUSIM_COMPARES("i64", int64_t), GPUSIM_COMPARES("u64", uint64_t),
};

#undef GPUSIM_COMPARES
#undef GPUSIM_COMPARE

} // namespace

Family vectorCompareIntegerFamily() {
  return kOpcodes;
}

} // namespace gpusim
