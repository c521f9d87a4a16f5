// Conversions of gfx950 between floats of 4, 6 or 8 bits and wider ones, by way of a scale: the
// narrow numbers are those of a block that shares a power of two.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "../execution.h"
#include "../operand_access.h"
#include "families.h"
#include "half_pair.h"
#include "small_float.h"

namespace gpusim {

namespace {

// The wider formats, with the interface of SmallFloat. They hold what is too large as infinities.
struct Single {
  static constexpr unsigned kWidth = 32;
  static constexpr ValueType kSource = ValueType::Float32;
  static float widen(uint32_t bits) { return std::bit_cast<float>(bits); }
  static uint32_t round(double value, bool) {
    return std::bit_cast<uint32_t>(static_cast<float>(value));
  }
};
struct HalfFormat {
  static constexpr unsigned kWidth = 16;
  static constexpr ValueType kSource = ValueType::PackedFloat16;
  static float widen(uint32_t bits) { return gpusim::widen(Half{static_cast<uint16_t>(bits)}); }
  static uint32_t round(double value, bool) {
    return roundToHalf(value, Rounding::Nearest, false).bits;
  }
};
/// The single in between is exact wherever it is not far below the smallest brain float: narrow
/// numbers have few bits.
struct BrainFormat {
  static constexpr unsigned kWidth = 16;
  static constexpr ValueType kSource = ValueType::PackedBrainFloat16;
  static float widen(uint32_t bits) { return widenBrainFloat(bits); }
  static uint32_t round(double value, bool) { return roundToBrainFloat(static_cast<float>(value)); }
};

/// Elements side by side in the registers of an operand, without gaps.
class ElementRow {
public:
  ElementRow(unsigned width, unsigned firstBit) : width_(width), firstBit_(firstBit) {}

  uint32_t read(const uint32_t* words, unsigned element) const {
    const unsigned bit = firstBit_ + width_ * element;
    const uint64_t low = words[bit / 32];
    const bool crosses = bit % 32 + width_ > 32;
    const uint64_t both = low | (crosses ? uint64_t{words[bit / 32 + 1]} << 32 : 0);
    return static_cast<uint32_t>(both >> bit % 32 & mask());
  }
  void write(uint32_t* words, unsigned element, uint32_t value) const {
    const unsigned bit = firstBit_ + width_ * element;
    put(words[bit / 32], uint64_t{value} << bit % 32, mask() << bit % 32);
    if (bit % 32 + width_ > 32) {
      put(words[bit / 32 + 1], uint64_t{value} << bit % 32 >> 32, mask() << bit % 32 >> 32);
    }
  }

private:
  uint64_t mask() const { return (uint64_t{1} << width_) - 1; }
  static void put(uint32_t& word, uint64_t bits, uint64_t mask) {
    word = static_cast<uint32_t>((word & ~mask) | (bits & mask));
  }

  unsigned width_;
  unsigned firstBit_;
};

/// 2 to the power that the exponent of the scale stands for; a NaN for the largest one.
double scaleOf(uint32_t bits) {
  const uint32_t exponent = bits >> 23 & 0xff;
  return exponent == 0xff ? std::nan("") : std::ldexp(1.0, static_cast<int>(exponent) - 127);
}

/// Where `bits` of elements begin in a register of which op_sel names a byte or a half.
constexpr unsigned firstBitOf(unsigned bits, unsigned byte, unsigned half) {
  return bits == 8 ? 8 * byte : bits == 16 ? 16 * half : 0;
}

constexpr unsigned kMostWords = 32;

/// `kCount` elements of `From`, in `kOperands` operands one after the other, become elements of
/// `To`: multiplied with the scale when they are widened, divided by it when they are narrowed. The
/// rest of the destination's registers stays. Operands: destination, sources, scale.
template <class From, class To, unsigned kCount, unsigned kOperands = 1>
struct ScaledConversion {
  static constexpr unsigned kSourceBits = From::kWidth * kCount / kOperands;
  static constexpr unsigned kResultBits = To::kWidth * kCount;
  static constexpr bool kWidens = To::kWidth > From::kWidth;
  static constexpr unsigned kScale = 1 + kOperands;

  static Step run(Wave& wave, const Instruction& instruction) {
    const std::optional<Selection> selection = selectionOf(instruction);
    if (!selection) {
      return wave.execution->fail(wave, instruction, Fault::Kind::Unsupported,
                                  "op_sel names what this conversion does not have");
    }
    LaneBuffer<uint32_t> scaleBuffer;
    const uint32_t* scales = readLanes<uint32_t>(wave, instruction.operands[kScale], scaleBuffer);
    const Sources sources(wave, instruction);
    const Operand& destination = instruction.operands[0];
    const bool saturates = (wave.mode & mode::kFp16Overflow) != 0;
    std::array<LaneBuffer<uint32_t>, kResultWords> results;
    forEachLane(wave.exec(), [&](unsigned lane) {
      uint32_t words[kResultWords];
      for (unsigned word = 0; word < kResultWords; ++word) {
        words[word] = wave.vgpr[destination.index + word][lane];
      }
      convert(sources, *selection, lane, scaleOf(scales[lane]), saturates, words);
      for (unsigned word = 0; word < kResultWords; ++word) {
        results[word].value[lane] = words[word];
      }
    });
    for (unsigned word = 0; word < kResultWords; ++word) {
      writeRegister(wave, destination.index + word, results[word].value, wave.exec());
    }
    return Step::Continue;
  }

  static constexpr Opcode row(std::string_view mnemonic) {
    constexpr uint32_t kSignsOfSingles = sourceType() == ValueType::Float32 ? kSigns : 0u;
    Opcode opcode{mnemonic, run, {}, kOpSel | kOpSelHi | kSignsOfSingles, nullptr};
    opcode.operands[0] = {Role::Definition,
                          kResultWords == 1 ? ValueType::Bits32 : ValueType::Wide};
    for (unsigned source = 1; source <= kOperands; ++source) {
      opcode.operands[source] = {Role::Use, sourceType()};
    }
    opcode.operands[kScale] = {Role::Use, ValueType::Bits32};
    return opcode;
  }

private:
  static constexpr ValueType sourceType() {
    if constexpr (kSourceWords > 1) {
      return ValueType::Wide;
    } else if constexpr (kWidens) {
      return ValueType::Bits32;
    } else {
      return From::kSource;
    }
  }

  static constexpr unsigned kSourceWords = (kSourceBits + 31) / 32;
  static constexpr unsigned kResultWords = (kResultBits + 31) / 32;
  static_assert(kSourceWords <= kMostWords && kResultWords <= kMostWords);

  struct Selection {
    unsigned source = 0; ///< first bits
    unsigned result = 0;
  };

  /// op_sel as it is in the encoding: the text omits bits of sources that there are not.
  static std::optional<Selection> selectionOf(const Instruction& instruction) {
    const auto bits = static_cast<unsigned>(instruction.encoding >> 11 & 0xf);
    constexpr unsigned kKnown = (kSourceBits == 8               ? 0b0011u
                                 : kSourceBits == 16 && kWidens ? 0b0001u
                                                                : 0u) |
                                (kResultBits == 8    ? 0b1100u
                                 : kResultBits == 16 ? 0b1000u
                                                     : 0u);
    if ((bits & ~kKnown) != 0) {
      return std::nullopt;
    }
    return Selection{firstBitOf(kSourceBits, bits & 3, bits & 1),
                     firstBitOf(kResultBits, bits >> 2, bits >> 3)};
  }

  /// The registers of the sources.
  struct Sources {
    LaneBuffer<uint32_t> buffers[kOperands];
    const uint32_t* words[kOperands][kSourceWords];

    Sources(const Wave& wave, const Instruction& instruction) {
      for (unsigned source = 0; source < kOperands; ++source) {
        const Operand& operand = instruction.operands[1 + source];
        if constexpr (kSourceWords == 1) {
          words[source][0] = readSource(wave, operand, buffers[source]);
        } else {
          for (unsigned word = 0; word < kSourceWords; ++word) {
            words[source][word] = wave.vgpr[operand.index + word];
          }
        }
      }
    }
    static const uint32_t* readSource(const Wave& wave, const Operand& operand,
                                      LaneBuffer<uint32_t>& buffer) {
      LaneBuffer<float> singles;
      const uint32_t* lanes = readLanes<float>(wave, operand, singles);
      std::copy_n(lanes, kLanes, buffer.value);
      return buffer.value;
    }
  };

  static void convert(const Sources& sources, const Selection& selection, unsigned lane,
                      double scale, bool saturates, uint32_t* results) {
    constexpr unsigned kPerOperand = kCount / kOperands;
    const ElementRow from(From::kWidth, selection.source);
    const ElementRow to(To::kWidth, selection.result);
    for (unsigned source = 0; source < kOperands; ++source) {
      uint32_t words[kSourceWords];
      for (unsigned word = 0; word < kSourceWords; ++word) {
        words[word] = sources.words[source][word][lane];
      }
      for (unsigned element = 0; element < kPerOperand; ++element) {
        const double value = static_cast<double>(From::widen(from.read(words, element)));
        const double scaled = kWidens ? value * scale : value / scale;
        to.write(results, kPerOperand * source + element, To::round(scaled, saturates));
      }
    }
  }
};

template <class From, class To, unsigned kCount, unsigned kOperands = 1>
constexpr Opcode scaled(std::string_view mnemonic) {
  return ScaledConversion<From, To, kCount, kOperands>::row(mnemonic);
}

constexpr Opcode kOpcodes[] = {
    scaled<OcpFp8, Single, 1>("v_cvt_scalef32_f32_fp8"),
    scaled<OcpBf8, Single, 1>("v_cvt_scalef32_f32_bf8"),
    scaled<OcpFp8, HalfFormat, 1>("v_cvt_scalef32_f16_fp8"),
    scaled<OcpBf8, HalfFormat, 1>("v_cvt_scalef32_f16_bf8"),

    scaled<OcpFp8, Single, 2>("v_cvt_scalef32_pk_f32_fp8"),
    scaled<OcpBf8, Single, 2>("v_cvt_scalef32_pk_f32_bf8"),
    scaled<OcpFp4, Single, 2>("v_cvt_scalef32_pk_f32_fp4"),
    scaled<OcpFp8, HalfFormat, 2>("v_cvt_scalef32_pk_f16_fp8"),
    scaled<OcpBf8, HalfFormat, 2>("v_cvt_scalef32_pk_f16_bf8"),
    scaled<OcpFp4, HalfFormat, 2>("v_cvt_scalef32_pk_f16_fp4"),
    scaled<OcpFp8, BrainFormat, 2>("v_cvt_scalef32_pk_bf16_fp8"),
    scaled<OcpBf8, BrainFormat, 2>("v_cvt_scalef32_pk_bf16_bf8"),
    scaled<OcpFp4, BrainFormat, 2>("v_cvt_scalef32_pk_bf16_fp4"),

    scaled<Single, OcpFp8, 2, 2>("v_cvt_scalef32_pk_fp8_f32"),
    scaled<Single, OcpBf8, 2, 2>("v_cvt_scalef32_pk_bf8_f32"),
    scaled<Single, OcpFp4, 2, 2>("v_cvt_scalef32_pk_fp4_f32"),
    scaled<HalfFormat, OcpFp8, 2>("v_cvt_scalef32_pk_fp8_f16"),
    scaled<HalfFormat, OcpBf8, 2>("v_cvt_scalef32_pk_bf8_f16"),
    scaled<HalfFormat, OcpFp4, 2>("v_cvt_scalef32_pk_fp4_f16"),
    scaled<BrainFormat, OcpFp8, 2>("v_cvt_scalef32_pk_fp8_bf16"),
    scaled<BrainFormat, OcpBf8, 2>("v_cvt_scalef32_pk_bf8_bf16"),
    scaled<BrainFormat, OcpFp4, 2>("v_cvt_scalef32_pk_fp4_bf16"),

    scaled<OcpFp6, Single, 32>("v_cvt_scalef32_pk32_f32_fp6"),
    scaled<OcpBf6, Single, 32>("v_cvt_scalef32_pk32_f32_bf6"),
    scaled<OcpFp6, HalfFormat, 32>("v_cvt_scalef32_pk32_f16_fp6"),
    scaled<OcpBf6, HalfFormat, 32>("v_cvt_scalef32_pk32_f16_bf6"),
    scaled<OcpFp6, BrainFormat, 32>("v_cvt_scalef32_pk32_bf16_fp6"),
    scaled<OcpBf6, BrainFormat, 32>("v_cvt_scalef32_pk32_bf16_bf6"),

    scaled<Single, OcpFp6, 32, 2>("v_cvt_scalef32_2xpk16_fp6_f32"),
    scaled<Single, OcpBf6, 32, 2>("v_cvt_scalef32_2xpk16_bf6_f32"),
    scaled<HalfFormat, OcpFp6, 32>("v_cvt_scalef32_pk32_fp6_f16"),
    scaled<HalfFormat, OcpBf6, 32>("v_cvt_scalef32_pk32_bf6_f16"),
    scaled<BrainFormat, OcpFp6, 32>("v_cvt_scalef32_pk32_fp6_bf16"),
    scaled<BrainFormat, OcpBf6, 32>("v_cvt_scalef32_pk32_bf6_bf16"),
};

} // namespace

Family scaledConversionFamily() {
  return kOpcodes;
}

} // namespace gpusim
