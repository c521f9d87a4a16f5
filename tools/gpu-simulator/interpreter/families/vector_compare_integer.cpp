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

// Macros because mnemonics are put together from literals.
#define GPUSIM_COMPARE(target, prefix, name, T, predicate)                                         \
  compareOpcode<predicate<T>, MaskTarget::target>(prefix name)
#define GPUSIM_COMPARES_OF(target, prefix, type, T)                                                \
  GPUSIM_COMPARE(target, prefix, "f_" type, T, never),                                             \
      GPUSIM_COMPARE(target, prefix, "lt_" type, T, less),                                         \
      GPUSIM_COMPARE(target, prefix, "eq_" type, T, equal),                                        \
      GPUSIM_COMPARE(target, prefix, "le_" type, T, lessOrEqual),                                  \
      GPUSIM_COMPARE(target, prefix, "gt_" type, T, greater),                                      \
      GPUSIM_COMPARE(target, prefix, "ne_" type, T, notEqual),                                     \
      GPUSIM_COMPARE(target, prefix, "ge_" type, T, greaterOrEqual),                               \
      GPUSIM_COMPARE(target, prefix, "t_" type, T, always)
#define GPUSIM_COMPARES(target, prefix)                                                            \
  GPUSIM_COMPARES_OF(target, prefix, "i16", int16_t),                                              \
      GPUSIM_COMPARES_OF(target, prefix, "u16", uint16_t),                                         \
      GPUSIM_COMPARES_OF(target, prefix, "i32", int32_t),                                          \
      GPUSIM_COMPARES_OF(target, prefix, "u32", uint32_t),                                         \
      GPUSIM_COMPARES_OF(target, prefix, "i64", int64_t),                                          \
      GPUSIM_COMPARES_OF(target, prefix, "u64", uint64_t)

constexpr Opcode kOpcodes[] = {
    GPUSIM_COMPARES(Mask, "v_cmp_"),
    GPUSIM_COMPARES(MaskAndExec, "v_cmpx_"),
};
constexpr Opcode kExecOpcodes[] = {
    GPUSIM_COMPARES(Exec, "v_cmpx_"),
};

#undef GPUSIM_COMPARES
#undef GPUSIM_COMPARES_OF
#undef GPUSIM_COMPARE

} // namespace

Family vectorCompareIntegerFamily() {
  return kOpcodes;
}

Family vectorCompareIntegerExecFamily() {
  return kExecOpcodes;
}

} // namespace gpusim
