#include "fused_multiply_add.h"

#include <bit>
#include <cmath>

#include "../lanes.h"

namespace gpusim {

namespace {

// A baseline build calls the C library for each lane; with the processor's own instruction the
// loop is vectorised.
#if defined(__x86_64__)

__attribute__((target("avx2,fma"))) void hardwareSingle(const uint32_t* a, const uint32_t* b,
                                                        const uint32_t* c, uint32_t* out) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const float result =
        __builtin_fmaf(__builtin_bit_cast(float, a[lane]), __builtin_bit_cast(float, b[lane]),
                       __builtin_bit_cast(float, c[lane]));
    out[lane] = __builtin_bit_cast(uint32_t, result);
  }
}

__attribute__((target("avx2,fma"))) void hardwareDouble(const uint64_t* a, const uint64_t* b,
                                                        const uint64_t* c, uint64_t* out) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const double result =
        __builtin_fma(__builtin_bit_cast(double, a[lane]), __builtin_bit_cast(double, b[lane]),
                      __builtin_bit_cast(double, c[lane]));
    out[lane] = __builtin_bit_cast(uint64_t, result);
  }
}

bool hasHardware() {
  static const bool supported =
      __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  return supported;
}

#else

void hardwareSingle(const uint32_t*, const uint32_t*, const uint32_t*, uint32_t*) {}
void hardwareDouble(const uint64_t*, const uint64_t*, const uint64_t*, uint64_t*) {}
bool hasHardware() {
  return false;
}

#endif

} // namespace

void fusedMultiplyAdd(const uint32_t* a, const uint32_t* b, const uint32_t* c, uint32_t* out) {
  if (hasHardware()) {
    hardwareSingle(a, b, c, out);
    return;
  }
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    out[lane] = std::bit_cast<uint32_t>(std::fma(std::bit_cast<float>(a[lane]),
                                                 std::bit_cast<float>(b[lane]),
                                                 std::bit_cast<float>(c[lane])));
  }
}

void fusedMultiplyAdd(const uint64_t* a, const uint64_t* b, const uint64_t* c, uint64_t* out) {
  if (hasHardware()) {
    hardwareDouble(a, b, c, out);
    return;
  }
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    out[lane] = std::bit_cast<uint64_t>(std::fma(std::bit_cast<double>(a[lane]),
                                                 std::bit_cast<double>(b[lane]),
                                                 std::bit_cast<double>(c[lane])));
  }
}

} // namespace gpusim
