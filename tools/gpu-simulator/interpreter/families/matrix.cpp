// MFMA: products of small matrices spread over the lanes of a wave. EXEC has no influence.
#include "../execution.h"
#include "families.h"
#include "matrix_element.h"
#include "matrix_layout.h"

namespace gpusim {

namespace {

/// The bits of a constant third source, which was parsed as one of 32 bits.
template <class Word>
Word constantBits(uint64_t constant) {
  const auto bits = static_cast<uint32_t>(constant);
  if constexpr (sizeof(Word) == 4) {
    return bits;
  } else {
    constexpr uint32_t kInverseTwoPi = 0x3e22f983;
    const auto integer = static_cast<int32_t>(bits);
    if (integer >= -16 && integer <= 64) {
      return static_cast<uint64_t>(static_cast<int64_t>(integer));
    }
    return bits == kInverseTwoPi
               ? 0x3fc45f306dc9c882u
               : std::bit_cast<uint64_t>(static_cast<double>(std::bit_cast<float>(bits)));
  }
}

/// One matrix as one row of 64 lanes for each element that a lane holds.
template <class Element, MatrixShape kShape>
struct Rows {
  alignas(64) typename Element::Word value[kShape.pack][kLanes];

  Rows(const Wave& wave, const Operand& operand) {
    constexpr unsigned kRegisters = 2; // at most
    const uint32_t* registers[kRegisters];
    for (unsigned index = 0; index < kRegisters; ++index) {
      const unsigned last = operand.registers - 1u;
      registers[index] = wave.vgpr[operand.index + std::min(index, last)];
    }
    for (unsigned item = 0; item < kShape.pack; ++item) {
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        value[item][lane] = Element::element(registers, item, lane);
      }
    }
  }
};

template <class Element, MatrixShape kShape>
struct MatrixOperation {
  using Word = typename Element::Word;
  static constexpr unsigned kWordsPerResult = sizeof(Word) / sizeof(uint32_t);
  using Sums = Word[kShape.results()][kLanes];

  static Step run(Wave& wave, const Instruction& instruction) {
    const MatrixRouting routing{instruction.matrixControl & 7u, instruction.matrixBlock,
                                instruction.matrixControl >> 3 & 7u};
    if (!routing.fits(kShape)) {
      return wave.execution->fail(wave, instruction, Fault::Kind::Unsupported,
                                  "cbsz or abid exceed the blocks of this instruction");
    }
    const Rows<Element, kShape> a(wave, instruction.operands[1]);
    const Rows<Element, kShape> b(wave, instruction.operands[2]);
    alignas(64) Sums sums;
    readSums(wave, instruction.operands[3], sums);
    for (unsigned result = 0; result < kShape.results(); ++result) {
      sumProducts(a, b, routing, result, sums[result]);
    }
    writeSums(wave, instruction.operands[0], sums);
    return Step::Continue;
  }

private:
  static void readSums(const Wave& wave, const Operand& operand, Sums& sums) {
    for (unsigned result = 0; result < kShape.results(); ++result) {
      if (operand.kind == Operand::Kind::Constant) {
        std::fill_n(sums[result], kLanes, constantBits<Word>(operand.constant));
        continue;
      }
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        sums[result][lane] = 0;
        for (unsigned part = 0; part < kWordsPerResult; ++part) {
          const Word word = wave.vgpr[operand.index + kWordsPerResult * result + part][lane];
          sums[result][lane] |= word << 32 * part;
        }
      }
    }
  }

  /// The lanes of A and B that meet in every lane of a result, at depth 0.
  struct Meeting {
    uint8_t a[kLanes];
    uint8_t b[kLanes];

    Meeting(const MatrixRouting& routing, unsigned result) {
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const MatrixPosition at = positionOf(kShape, result, lane);
        const unsigned block = routing.blockOfA(at.block);
        a[lane] = static_cast<uint8_t>(kShape.firstLane(block, 0) + at.row);
        b[lane] = static_cast<uint8_t>(kShape.firstLane(at.block, 0) + at.column);
      }
    }
  };

  static void sumProducts(const Rows<Element, kShape>& a, const Rows<Element, kShape>& b,
                          const MatrixRouting& routing, unsigned result, Word* sums) {
    const Meeting meeting(routing, result);
    alignas(64) Word left[kLanes];
    alignas(64) Word right[kLanes];
    for (unsigned depth = 0; depth < kShape.depth; ++depth) {
      const unsigned item = depth % kShape.pack;
      const unsigned offset = kShape.firstLane(0, depth / kShape.pack);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        left[lane] = a.value[item][meeting.a[lane] + offset];
        right[lane] = b.value[item][routing.laneOfB(meeting.b[lane] + offset)];
      }
      Element::addProducts(left, right, sums);
    }
  }

  static void writeSums(Wave& wave, const Operand& operand, const Sums& sums) {
    for (unsigned result = 0; result < kShape.results(); ++result) {
      for (unsigned part = 0; part < kWordsPerResult; ++part) {
        uint32_t* out = wave.vgpr[operand.index + kWordsPerResult * result + part];
        for (unsigned lane = 0; lane < kLanes; ++lane) {
          const Word sum = Element::finish(sums[result][lane]);
          out[lane] = static_cast<uint32_t>(sum >> 32 * part);
        }
      }
    }
  }
};

/// The routing fields are honoured by all but the double-precision instructions.
template <class Element, MatrixShape kShape>
constexpr Opcode matrix(std::string_view mnemonic) {
  constexpr OperandSpec kIn{Role::Use, ValueType::Wide};
  return {mnemonic,
          &MatrixOperation<Element, kShape>::run,
          {{{Role::Definition, ValueType::Wide}, kIn, kIn, kIn}},
          kNoIndexing | (sizeof(typename Element::Word) == 4 ? kMatrix : 0u),
          nullptr};
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
};

} // namespace

Family matrixFamily() {
  return kOpcodes;
}

} // namespace gpusim
