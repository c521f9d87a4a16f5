// The element types of the MFMA instructions: how sources are unpacked and products summed.
#pragma once

#include <algorithm>

#include "float_operation.h"

namespace gpusim {

/// Elements narrower than a register. Products are added one by one along the depth, each sum
/// rounded once to the nearest, whatever MODE says.
struct MatrixSingle {
  using Word = uint32_t;

  static uint32_t element(const uint32_t* const* registers, unsigned item, unsigned lane) {
    return registers[item][lane];
  }
  static void addProducts(const uint32_t* a, const uint32_t* b, uint32_t* sums) {
    LaneBuffer<float> result;
    fusedMultiplyAdd(a, b, sums, result.value);
    settleNans<float, float, float, float>(result.value, a, b, sums);
    std::copy_n(result.value, kLanes, sums);
  }
  static uint32_t finish(uint32_t sum) { return sum; }
};

inline uint32_t packedHalf(const uint32_t* const* registers, unsigned item, unsigned lane) {
  return registers[item / 2][lane] >> 16 * (item % 2) & 0xffff;
}

/// Denormals are zero, in sources and in results.
struct MatrixHalf : MatrixSingle {
  static uint32_t element(const uint32_t* const* registers, unsigned item, unsigned lane) {
    const uint32_t bits = FloatFormat<Half>::flushed(packedHalf(registers, item, lane));
    return std::bit_cast<uint32_t>(widen(Half{static_cast<uint16_t>(bits)}));
  }
  static uint32_t finish(uint32_t sum) { return FloatFormat<float>::flushed(sum); }
};

/// The upper half of a single; denormals as above.
struct MatrixBrainFloat : MatrixSingle {
  static uint32_t element(const uint32_t* const* registers, unsigned item, unsigned lane) {
    return FloatFormat<float>::flushed(packedHalf(registers, item, lane) << 16);
  }
  static uint32_t finish(uint32_t sum) { return FloatFormat<float>::flushed(sum); }
};

/// The same with denormals kept.
struct MatrixExactHalf : MatrixSingle {
  static uint32_t element(const uint32_t* const* registers, unsigned item, unsigned lane) {
    const auto bits = static_cast<uint16_t>(packedHalf(registers, item, lane));
    return std::bit_cast<uint32_t>(widen(Half{bits}));
  }
};
struct MatrixExactBrainFloat : MatrixSingle {
  static uint32_t element(const uint32_t* const* registers, unsigned item, unsigned lane) {
    return packedHalf(registers, item, lane) << 16;
  }
};

/// Singles rounded to the mantissa of a half before they are multiplied.
struct MatrixReducedSingle : MatrixSingle {
  static uint32_t element(const uint32_t* const* registers, unsigned item, unsigned lane) {
    constexpr unsigned kDropped = 13; // bits of the mantissa
    const uint32_t bits = registers[item][lane];
    if (FloatFormat<float>::isNan(bits)) {
      return bits;
    }
    const uint32_t tie = bits >> kDropped & 1;
    return (bits + (1u << (kDropped - 1)) - 1 + tie) >> kDropped << kDropped;
  }
};

/// Signed; sums wrap.
struct MatrixByte {
  using Word = uint32_t;

  static uint32_t element(const uint32_t* const* registers, unsigned item, unsigned lane) {
    const auto byte = static_cast<int8_t>(registers[item / 4][lane] >> 8 * (item % 4));
    return static_cast<uint32_t>(int32_t{byte});
  }
  static void addProducts(const uint32_t* a, const uint32_t* b, uint32_t* sums) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      sums[lane] += a[lane] * b[lane];
    }
  }
  static uint32_t finish(uint32_t sum) { return sum; }
};

struct MatrixDouble {
  using Word = uint64_t;

  static uint64_t element(const uint32_t* const* registers, unsigned, unsigned lane) {
    return registers[0][lane] | static_cast<uint64_t>(registers[1][lane]) << 32;
  }
  static void addProducts(const uint64_t* a, const uint64_t* b, uint64_t* sums) {
    LaneBuffer<double> result;
    fusedMultiplyAdd(a, b, sums, result.value);
    settleNans<double, double, double, double>(result.value, a, b, sums);
    std::copy_n(result.value, kLanes, sums);
  }
  static uint64_t finish(uint64_t sum) { return sum; }
};

} // namespace gpusim
