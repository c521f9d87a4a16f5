// Products of small matrices spread over the lanes of a wave. EXEC has no influence.
#pragma once

#include "../execution.h"
#include "matrix_element.h"
#include "matrix_layout.h"

namespace gpusim {

/// The bits of a constant third source, which was parsed as one of 32 bits.
template <class Word>
Word matrixConstant(uint64_t constant) {
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
    constexpr unsigned kRegisters = 4; // at most
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

/// `A` and `B` say how the elements of the sources are stored; `A` also how products are added.
template <class A, class B, MatrixShape kShape>
struct MatrixOperation {
  using Word = typename A::Word;
  static constexpr unsigned kWordsPerResult = sizeof(Word) / sizeof(uint32_t);
  using Sums = Word[kShape.results()][kLanes];

  static Step run(Wave& wave, const Instruction& instruction) {
    const MatrixRouting routing{instruction.matrixControl & 7u, instruction.matrixBlock,
                                instruction.matrixControl >> 3 & 7u};
    if (!routing.fits(kShape)) {
      return wave.execution->fail(wave, instruction, Fault::Kind::Unsupported,
                                  "cbsz or abid exceed the blocks of this instruction");
    }
    const Rows<A, kShape> a(wave, instruction.operands[1]);
    const Rows<B, kShape> b(wave, instruction.operands[2]);
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
        std::fill_n(sums[result], kLanes, matrixConstant<Word>(operand.constant));
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

  static void sumProducts(const Rows<A, kShape>& a, const Rows<B, kShape>& b,
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
      A::addProducts(left, right, sums);
    }
  }

  static void writeSums(Wave& wave, const Operand& operand, const Sums& sums) {
    for (unsigned result = 0; result < kShape.results(); ++result) {
      for (unsigned part = 0; part < kWordsPerResult; ++part) {
        uint32_t* out = wave.vgpr[operand.index + kWordsPerResult * result + part];
        for (unsigned lane = 0; lane < kLanes; ++lane) {
          const Word sum = A::finish(sums[result][lane]);
          out[lane] = static_cast<uint32_t>(sum >> 32 * part);
        }
      }
    }
  }
};

/// The handler's row. `modifiers`: the routing fields, or none.
template <class A, class B, MatrixShape kShape>
constexpr Opcode matrixOpcode(std::string_view mnemonic, uint32_t modifiers) {
  constexpr OperandSpec kIn{Role::Use, ValueType::Wide};
  return {mnemonic,
          &MatrixOperation<A, B, kShape>::run,
          {{{Role::Definition, ValueType::Wide}, kIn, kIn, kIn}},
          kNoIndexing | modifiers,
          nullptr};
}

} // namespace gpusim
