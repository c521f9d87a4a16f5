// MFMA on eight-bit floats in every mixture of two formats: those of gfx942, and those of its
// successors under the same mnemonics.
#include "families.h"
#include "fnuz_float.h"
#include "matrix_operation.h"
#include "small_float.h"

namespace gpusim {

namespace {

template <class Format>
struct MatrixByteFloat : MatrixSingle {
  static uint32_t element(const uint32_t* const* registers, unsigned item, unsigned lane) {
    const uint32_t byte = registers[item / 4][lane] >> 8 * (item % 4);
    return std::bit_cast<uint32_t>(Format::widen(byte));
  }
};

constexpr MatrixShape kLarge{32, 16, 1, 8};
constexpr MatrixShape kSmall{16, 32, 1, 8};

template <class Fp8, class Bf8>
inline constexpr Opcode kOpcodes[] = {
    matrixOpcode<Fp8, Fp8, kLarge>("v_mfma_f32_32x32x16_fp8_fp8", 0),
    matrixOpcode<Fp8, Bf8, kLarge>("v_mfma_f32_32x32x16_fp8_bf8", 0),
    matrixOpcode<Bf8, Fp8, kLarge>("v_mfma_f32_32x32x16_bf8_fp8", 0),
    matrixOpcode<Bf8, Bf8, kLarge>("v_mfma_f32_32x32x16_bf8_bf8", 0),
    matrixOpcode<Fp8, Fp8, kSmall>("v_mfma_f32_16x16x32_fp8_fp8", 0),
    matrixOpcode<Fp8, Bf8, kSmall>("v_mfma_f32_16x16x32_fp8_bf8", 0),
    matrixOpcode<Bf8, Fp8, kSmall>("v_mfma_f32_16x16x32_bf8_fp8", 0),
    matrixOpcode<Bf8, Bf8, kSmall>("v_mfma_f32_16x16x32_bf8_bf8", 0),
};

} // namespace

Family fnuzMatrixFamily() {
  return kOpcodes<MatrixByteFloat<FnuzFloat<3>>, MatrixByteFloat<FnuzFloat<2>>>;
}

Family ocpMatrixFamily() {
  return kOpcodes<MatrixByteFloat<OcpFp8>, MatrixByteFloat<OcpBf8>>;
}

} // namespace gpusim
