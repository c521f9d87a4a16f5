// MFMA, under the names of gfx908 and gfx90a and then those of gfx942 and gfx950, whose halves and
// brain floats keep their denormals.
#include "families.h"
#include "matrix_operation.h"

namespace gpusim {

namespace {

/// The routing fields are honoured by all but the double-precision instructions.
template <class Element, MatrixShape kShape>
constexpr Opcode matrix(std::string_view mnemonic) {
  return matrixOpcode<Element, Element, kShape>(mnemonic,
                                                sizeof(typename Element::Word) == 4 ? kMatrix : 0u);
}
template <class Element, MatrixShape kShape>
constexpr Opcode plainMatrix(std::string_view mnemonic) {
  return matrixOpcode<Element, Element, kShape>(mnemonic, 0);
}

constexpr Opcode kOpcodes[] = {
    matrix<MatrixSingle, MatrixShape{32, 1, 2, 1}>("v_mfma_f32_32x32x1f32"),
    matrix<MatrixSingle, MatrixShape{16, 1, 4, 1}>("v_mfma_f32_16x16x1f32"),
    matrix<MatrixSingle, MatrixShape{4, 1, 16, 1}>("v_mfma_f32_4x4x1f32"),
    matrix<MatrixSingle, MatrixShape{32, 2, 1, 1}>("v_mfma_f32_32x32x2f32"),
    matrix<MatrixSingle, MatrixShape{16, 4, 1, 1}>("v_mfma_f32_16x16x4f32"),

    matrix<MatrixHalf, MatrixShape{32, 4, 2, 4}>("v_mfma_f32_32x32x4f16"),
    matrix<MatrixHalf, MatrixShape{16, 4, 4, 4}>("v_mfma_f32_16x16x4f16"),
    matrix<MatrixHalf, MatrixShape{4, 4, 16, 4}>("v_mfma_f32_4x4x4f16"),
    matrix<MatrixHalf, MatrixShape{32, 8, 1, 4}>("v_mfma_f32_32x32x8f16"),
    matrix<MatrixHalf, MatrixShape{16, 16, 1, 4}>("v_mfma_f32_16x16x16f16"),

    matrix<MatrixBrainFloat, MatrixShape{32, 2, 2, 2}>("v_mfma_f32_32x32x2bf16"),
    matrix<MatrixBrainFloat, MatrixShape{16, 2, 4, 2}>("v_mfma_f32_16x16x2bf16"),
    matrix<MatrixBrainFloat, MatrixShape{4, 2, 16, 2}>("v_mfma_f32_4x4x2bf16"),
    matrix<MatrixBrainFloat, MatrixShape{32, 4, 1, 2}>("v_mfma_f32_32x32x4bf16"),
    matrix<MatrixBrainFloat, MatrixShape{16, 8, 1, 2}>("v_mfma_f32_16x16x8bf16"),

    matrix<MatrixBrainFloat, MatrixShape{32, 4, 2, 4}>("v_mfma_f32_32x32x4bf16_1k"),
    matrix<MatrixBrainFloat, MatrixShape{16, 4, 4, 4}>("v_mfma_f32_16x16x4bf16_1k"),
    matrix<MatrixBrainFloat, MatrixShape{4, 4, 16, 4}>("v_mfma_f32_4x4x4bf16_1k"),
    matrix<MatrixBrainFloat, MatrixShape{32, 8, 1, 4}>("v_mfma_f32_32x32x8bf16_1k"),
    matrix<MatrixBrainFloat, MatrixShape{16, 16, 1, 4}>("v_mfma_f32_16x16x16bf16_1k"),

    matrix<MatrixByte, MatrixShape{32, 4, 2, 4}>("v_mfma_i32_32x32x4i8"),
    matrix<MatrixByte, MatrixShape{16, 4, 4, 4}>("v_mfma_i32_16x16x4i8"),
    matrix<MatrixByte, MatrixShape{4, 4, 16, 4}>("v_mfma_i32_4x4x4i8"),
    matrix<MatrixByte, MatrixShape{32, 8, 1, 4}>("v_mfma_i32_32x32x8i8"),
    matrix<MatrixByte, MatrixShape{16, 16, 1, 4}>("v_mfma_i32_16x16x16i8"),

    matrix<MatrixDouble, MatrixShape{16, 4, 1, 1, 1}>("v_mfma_f64_16x16x4f64"),
    matrix<MatrixDouble, MatrixShape{4, 4, 4, 1, 1}>("v_mfma_f64_4x4x4f64"),

    matrix<MatrixSingle, MatrixShape{32, 1, 2, 1}>("v_mfma_f32_32x32x1_2b_f32"),
    matrix<MatrixSingle, MatrixShape{16, 1, 4, 1}>("v_mfma_f32_16x16x1_4b_f32"),
    matrix<MatrixSingle, MatrixShape{4, 1, 16, 1}>("v_mfma_f32_4x4x1_16b_f32"),
    matrix<MatrixSingle, MatrixShape{32, 2, 1, 1}>("v_mfma_f32_32x32x2_f32"),
    matrix<MatrixSingle, MatrixShape{16, 4, 1, 1}>("v_mfma_f32_16x16x4_f32"),

    matrix<MatrixExactHalf, MatrixShape{32, 4, 2, 4}>("v_mfma_f32_32x32x4_2b_f16"),
    matrix<MatrixExactHalf, MatrixShape{16, 4, 4, 4}>("v_mfma_f32_16x16x4_4b_f16"),
    matrix<MatrixExactHalf, MatrixShape{4, 4, 16, 4}>("v_mfma_f32_4x4x4_16b_f16"),
    matrix<MatrixExactHalf, MatrixShape{32, 8, 1, 4}>("v_mfma_f32_32x32x8_f16"),
    matrix<MatrixExactHalf, MatrixShape{16, 16, 1, 4}>("v_mfma_f32_16x16x16_f16"),

    matrix<MatrixExactBrainFloat, MatrixShape{32, 4, 2, 4}>("v_mfma_f32_32x32x4_2b_bf16"),
    matrix<MatrixExactBrainFloat, MatrixShape{16, 4, 4, 4}>("v_mfma_f32_16x16x4_4b_bf16"),
    matrix<MatrixExactBrainFloat, MatrixShape{4, 4, 16, 4}>("v_mfma_f32_4x4x4_16b_bf16"),
    matrix<MatrixExactBrainFloat, MatrixShape{32, 8, 1, 4}>("v_mfma_f32_32x32x8_bf16"),
    matrix<MatrixExactBrainFloat, MatrixShape{16, 16, 1, 4}>("v_mfma_f32_16x16x16_bf16"),

    matrix<MatrixByte, MatrixShape{32, 4, 2, 4}>("v_mfma_i32_32x32x4_2b_i8"),
    matrix<MatrixByte, MatrixShape{16, 4, 4, 4}>("v_mfma_i32_16x16x4_4b_i8"),
    matrix<MatrixByte, MatrixShape{4, 4, 16, 4}>("v_mfma_i32_4x4x4_16b_i8"),
    matrix<MatrixByte, MatrixShape{32, 16, 1, 8}>("v_mfma_i32_32x32x16_i8"),
    matrix<MatrixByte, MatrixShape{16, 32, 1, 8}>("v_mfma_i32_16x16x32_i8"),

    matrix<MatrixExactHalf, MatrixShape{32, 16, 1, 8}>("v_mfma_f32_32x32x16_f16"),
    matrix<MatrixExactHalf, MatrixShape{16, 32, 1, 8}>("v_mfma_f32_16x16x32_f16"),
    matrix<MatrixExactBrainFloat, MatrixShape{32, 16, 1, 8}>("v_mfma_f32_32x32x16_bf16"),
    matrix<MatrixExactBrainFloat, MatrixShape{16, 32, 1, 8}>("v_mfma_f32_16x16x32_bf16"),
    matrix<MatrixByte, MatrixShape{32, 32, 1, 16}>("v_mfma_i32_32x32x32_i8"),
    matrix<MatrixByte, MatrixShape{16, 64, 1, 16}>("v_mfma_i32_16x16x64_i8"),

    matrix<MatrixDouble, MatrixShape{16, 4, 1, 1, 1}>("v_mfma_f64_16x16x4_f64"),
    matrix<MatrixDouble, MatrixShape{4, 4, 4, 1, 1}>("v_mfma_f64_4x4x4_4b_f64"),

    plainMatrix<MatrixReducedSingle, MatrixShape{32, 4, 1, 2}>("v_mfma_f32_32x32x4_xf32"),
    plainMatrix<MatrixReducedSingle, MatrixShape{16, 8, 1, 2}>("v_mfma_f32_16x16x8_xf32"),
};

} // namespace

Family matrixFamily() {
  return kOpcodes;
}

} // namespace gpusim
