// Narrow floats of gfx950: every conversion against numbers computed from the definition of the
// format, roundings by trying all numbers it has.
#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "edge_values.h"
#include "float_reference.h"

namespace gpusim::test {
namespace {

constexpr FloatFormat kBrain{16, 7};

/// What the largest exponent of a narrow format is for.
enum class Top { Numbers, OneNan, InfinityAndNans };

struct Narrow {
  const char* name;
  unsigned width;
  unsigned mantissaBits;
  Top top;

  unsigned sign() const { return 1u << (width - 1); }
  unsigned infinity() const { return (sign() - 1) >> mantissaBits << mantissaBits; }
  unsigned largest() const {
    return top == Top::Numbers ? sign() - 1 : top == Top::OneNan ? sign() - 2 : infinity() - 1;
  }
  /// As if the code was a number, also beyond the largest.
  double number(unsigned magnitude) const {
    const int bias = (1 << (width - mantissaBits - 2)) - 1;
    const auto field = static_cast<int>(magnitude >> mantissaBits);
    const double fraction =
        (magnitude & ((1u << mantissaBits) - 1)) / std::pow(2.0, static_cast<double>(mantissaBits));
    return field == 0 ? fraction * std::pow(2.0, 1 - bias)
                      : (1 + fraction) * std::pow(2.0, field - bias);
  }
  double value(unsigned code) const {
    const unsigned magnitude = code & (sign() - 1);
    const double special = top == Top::InfinityAndNans && magnitude == infinity() ? INFINITY : NAN;
    const double unsignedValue = magnitude > largest() ? special : number(magnitude);
    return (code & sign()) != 0 ? -unsignedValue : unsignedValue;
  }
  unsigned nanCode() const {
    return top == Top::InfinityAndNans ? infinity() | 1u << (mantissaBits - 1) : sign() - 1;
  }
  unsigned beyond() const { return top == Top::InfinityAndNans ? infinity() : nanCode(); }

  unsigned nearest(double value, bool saturates) const {
    const unsigned signBit = std::signbit(value) ? sign() : 0;
    if (std::isnan(value)) {
      return signBit | nanCode();
    }
    if (std::isinf(value)) {
      return signBit | beyond();
    }
    // Far beyond the largest number all distances would round to the same.
    const double magnitude = std::min(std::fabs(value), number(largest() + 1));
    unsigned best = 0;
    for (unsigned code = 1; code <= largest() + 1; ++code) {
      const double distance = std::fabs(number(code) - magnitude);
      const double shortest = std::fabs(number(best) - magnitude);
      if (distance < shortest || (distance == shortest && code % 2 == 0)) {
        best = code;
      }
    }
    const bool exceeds = best > largest();
    return signBit | (!exceeds ? best : saturates ? largest() : beyond());
  }
};

constexpr Narrow kFp8{"fp8", 8, 3, Top::OneNan};
constexpr Narrow kBf8{"bf8", 8, 2, Top::InfinityAndNans};
constexpr Narrow kFp6{"fp6", 6, 3, Top::Numbers};
constexpr Narrow kBf6{"bf6", 6, 2, Top::Numbers};
constexpr Narrow kFp4{"fp4", 4, 1, Top::Numbers};

struct Wide {
  const char* name;
  FloatFormat format;

  double value(uint64_t bits) const {
    return format.isNan(bits) ? NAN
           : (bits & (format.sign() - 1)) == format.infinity()
               ? ((bits & format.sign()) != 0 ? -INFINITY : INFINITY)
               : static_cast<double>(decode(bits, format));
  }
  /// Whether `bits` are `value` rounded to nearest.
  bool holds(uint64_t bits, double value) const {
    if (std::isnan(value)) {
      return format.isNan(bits);
    }
    const uint64_t sign = std::signbit(value) ? format.sign() : 0;
    if (std::isinf(value) || value == 0) {
      return bits == (sign | (value == 0 ? 0 : format.infinity()));
    }
    return bits == encode({value, 0}, format, Round::Nearest);
  }
};

constexpr Wide kF32{"f32", kSingle};
constexpr Wide kF16{"f16", kHalf};
constexpr Wide kBf16{"bf16", kBrain};

Snippet onGfx950(const std::string& text) {
  Snippet snippet(text);
  snippet.processor("gfx950");
  return snippet;
}

uint32_t single(double value) {
  return std::bit_cast<uint32_t>(static_cast<float>(value));
}

/// Scales: mostly near one, some huge, tiny, not a power of two (the mantissa does not count),
/// negative (nor does the sign), and one that is no number.
Lanes scales(unsigned salt) {
  std::mt19937 random(salt);
  Lanes lanes;
  for (unsigned lane = 0; lane < 64; ++lane) {
    lanes[lane] = single(std::ldexp(1.0 + lane % 3 * 0.25, static_cast<int>(random() % 9) - 4));
  }
  lanes[7] = 0x7f800000;
  lanes[8] = single(0x1p100);
  lanes[9] = single(0x1p-120);
  lanes[10] = single(-2.0);
  lanes[11] = 0; // stands for 2 to the power of -127
  return lanes;
}
double scaleOf(uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 23 & 0xff);
  return exponent == 0xff ? NAN : std::ldexp(1.0, exponent - 127);
}

/// Lanes of bits of which every code is some.
Lanes codes(unsigned salt) {
  std::mt19937 random(salt);
  Lanes lanes;
  for (unsigned lane = 0; lane < 64; ++lane) {
    lanes[lane] = static_cast<uint32_t>(random());
  }
  lanes[1] = 0x807f7c00; // the special codes of eight bits
  lanes[2] = 0xfffefc7e;
  return lanes;
}

/// Wide numbers that the narrow format has, that lie between two of it, and that it cannot hold.
uint32_t wideFor(const Narrow& narrow, const Wide& wide, std::mt19937& random, double scale) {
  const double a = narrow.number(static_cast<unsigned>(random()) % (narrow.largest() + 2));
  const double b = narrow.number(static_cast<unsigned>(random()) % (narrow.largest() + 2));
  const double kinds[] = {a, (a + b) / 2, a * 1.03, -a, -(a + b) / 2, 3 * a, 1e30, 0.0, -0.0};
  const double value = kinds[random() % std::size(kinds)] * (std::isnan(scale) ? 1 : scale);
  const uint32_t specials[] = {
      static_cast<uint32_t>(wide.format.infinity()),
      static_cast<uint32_t>(wide.format.infinity() | 1 | wide.format.quiet()), 1u};
  if (random() % 16 == 0) {
    return specials[random() % std::size(specials)];
  }
  if (value == 0) {
    return std::signbit(value) ? static_cast<uint32_t>(wide.format.sign()) : 0;
  }
  return static_cast<uint32_t>(encode({value, 0}, wide.format, Round::Nearest));
}

std::string saturating(bool on) {
  return fmt::format("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), {}\n", on ? 1 : 0);
}

TEST(Gfx950Conversion, EveryByteIsWidened) {
  for (const Narrow& narrow : {kFp8, kBf8}) {
    Lanes bytes;
    for (unsigned lane = 0; lane < 64; ++lane) {
      bytes[lane] = 4 * lane | (4 * lane + 1) << 8 | (4 * lane + 2) << 16 | (4 * lane + 3) << 24;
    }
    Snippet snippet = onGfx950(fmt::format("v_cvt_f32_{0} v10, v1\n"
                                           "v_cvt_f32_{0}_sdwa v11, v1 src0_sel:BYTE_1\n"
                                           "v_cvt_pk_f32_{0}_sdwa v[12:13], v1 src0_sel:WORD_1\n",
                                           narrow.name));
    snippet.vector(1, bytes).wantVectors(10, 4);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    for (unsigned byte = 0; byte < 256; ++byte) {
      const uint32_t bits = snippet.vectorOut(10 + byte % 4)[byte / 4];
      EXPECT_TRUE(kF32.holds(bits, narrow.value(byte))) << narrow.name << ' ' << byte;
    }
  }
}

TEST(Gfx950Conversion, PairsOfBytesRoundToNearestEven) {
  for (const Narrow& narrow : {kFp8, kBf8}) {
    for (const bool saturates : {false, true}) {
      Lanes low, high;
      std::mt19937 random(30);
      for (unsigned lane = 0; lane < 64; ++lane) {
        low[lane] = wideFor(narrow, kF32, random, 1);
        high[lane] = wideFor(narrow, kF32, random, 1);
      }
      Snippet snippet =
          onGfx950(saturating(saturates) +
                   fmt::format("v_cvt_pk_{}_f32 v4, v1, -v2 op_sel:[0,0,1]\n", narrow.name));
      snippet.vector(1, low).vector(2, high).vector(4, 0xaaaabbbb).wantVectors(4);
      ASSERT_TRUE(snippet.run()) << snippet.fault().message;
      for (unsigned lane = 0; lane < 64; ++lane) {
        const unsigned first = narrow.nearest(kF32.value(low[lane]), saturates);
        const double second = kF32.value(high[lane] ^ 0x80000000);
        const uint32_t bits = snippet.vectorOut(4)[lane];
        EXPECT_EQ(bits & 0xffffff, 0xbbbbu | first << 16) << narrow.name << ' ' << lane;
        if (!std::isnan(second)) { // its sign is not compared
          EXPECT_EQ(bits >> 24, narrow.nearest(second, saturates)) << narrow.name << ' ' << lane;
        }
      }
    }
  }
}

/// Element `index` of registers from `first` on.
uint32_t element(const Snippet& snippet, unsigned first, unsigned lane, unsigned width,
                 unsigned index) {
  uint32_t value = 0;
  for (unsigned bit = 0; bit < width; ++bit) {
    const unsigned at = width * index + bit;
    value |= (snippet.vectorOut(first + at / 32)[lane] >> at % 32 & 1) << bit;
  }
  return value;
}
uint32_t element(const std::vector<Lanes>& registers, unsigned lane, unsigned width,
                 unsigned index) {
  uint32_t value = 0;
  for (unsigned bit = 0; bit < width; ++bit) {
    const unsigned at = width * index + bit;
    value |= (registers[at / 32][lane] >> at % 32 & 1) << bit;
  }
  return value;
}

std::string range(unsigned first, unsigned count) {
  return count == 1 ? fmt::format("v{}", first) : fmt::format("v[{}:{}]", first, first + count - 1);
}

unsigned registersFor(unsigned bits) {
  return (bits + 31) / 32;
}

/// `count` numbers of a lane are widened; they start at number `selected * count` of the register.
void checkWidening(const Narrow& narrow, const Wide& wide, unsigned count, unsigned selected,
                   const std::string& selection) {
  const char* kind = count == 1 ? "" : count == 2 ? "pk_" : "pk32_";
  const unsigned sources = registersFor(narrow.width * count);
  const unsigned results = registersFor(wide.format.bits * count);
  Snippet snippet =
      onGfx950(fmt::format("v_cvt_scalef32_{}{}_{} {}, {}, v1{}\n", kind, wide.name, narrow.name,
                           range(20, results), range(2, sources), selection));
  std::vector<Lanes> words;
  for (unsigned word = 0; word < sources; ++word) {
    words.push_back(codes(40 + word));
    snippet.vector(2 + word, words[word]);
  }
  const Lanes scale = scales(50);
  snippet.vector(1, scale).vector(20, 0xaaaabbbb).wantVectors(20, results);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    for (unsigned index = 0; index < count; ++index) {
      const uint32_t code = element(words, lane, narrow.width, selected * count + index);
      const double expected = narrow.value(code) * scaleOf(scale[lane]);
      const uint32_t bits = element(snippet, 20, lane, wide.format.bits, index);
      EXPECT_TRUE(wide.holds(bits, expected))
          << narrow.name << " to " << wide.name << ": " << code << " times " << scaleOf(scale[lane])
          << " is not " << bits;
    }
  }
}

TEST(Gfx950Conversion, ScaledBytesAreWidened) {
  const char* kBytes[] = {"", " op_sel:[1,0,0]", " op_sel:[0,1,0]", " op_sel:[1,1,0]"};
  for (const Narrow& narrow : {kFp8, kBf8}) {
    for (unsigned byte = 0; byte < 4; ++byte) {
      checkWidening(narrow, kF32, 1, byte, kBytes[byte]);
      checkWidening(narrow, kF16, 1, byte, kBytes[byte]);
    }
    for (const Wide& wide : {kF32, kF16, kBf16}) {
      checkWidening(narrow, wide, 2, 0, "");
      checkWidening(narrow, wide, 2, 1, " op_sel:[1,0,0]");
    }
  }
}

TEST(Gfx950Conversion, ScaledNibblesAndBlocksAreWidened) {
  const char* kBytes[] = {"", " op_sel:[1,0,0]", " op_sel:[0,1,0]", " op_sel:[1,1,0]"};
  for (const Wide& wide : {kF32, kF16, kBf16}) {
    for (unsigned byte = 0; byte < 4; ++byte) {
      checkWidening(kFp4, wide, 2, byte, kBytes[byte]);
    }
    for (const Narrow& narrow : {kFp6, kBf6}) {
      checkWidening(narrow, wide, 32, 0, "");
    }
  }
}

TEST(Gfx950Conversion, AHalfResultLeavesTheOtherHalf) {
  Snippet snippet = onGfx950("v_cvt_scalef32_f16_fp8 v4, v2, v1\n"
                             "v_cvt_scalef32_f16_fp8 v5, v2, v1 op_sel:[1,0,1]\n");
  snippet.vector(1, single(2)).vector(2, 0x4038).vector(4, 0xaaaabbbb).vector(5, 0xaaaabbbb);
  snippet.wantVectors(4, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(4)[3], 0xaaaa4000u); // 1 times 2
  EXPECT_EQ(snippet.vectorOut(5)[3], 0x4400bbbbu); // 2 times 2
}

/// Pairs of singles are in two operands.
constexpr std::pair<const Wide*, unsigned> kWideSources[] = {{&kF32, 2}, {&kF16, 1}, {&kBf16, 1}};

struct Narrowing {
  const Narrow& narrow;
  const Wide& wide;
  unsigned count;
  unsigned operands; ///< that hold the sources
};

/// The result starts at bit `firstBit`; the rest of its register has to stay.
void checkNarrowing(const Narrowing& test, unsigned firstBit, const std::string& selection,
                    bool saturates) {
  const auto& [narrow, wide, count, operands] = test;
  const unsigned words = registersFor(wide.format.bits * count / operands);
  const unsigned results = registersFor(narrow.width * count);
  const char* kind = count == 2 ? "pk" : operands == 2 ? "2xpk16" : "pk32";
  std::string text = saturating(saturates) + fmt::format("v_cvt_scalef32_{}_{}_{} {}, ", kind,
                                                         narrow.name, wide.name, range(4, results));
  for (unsigned operand = 0; operand < operands; ++operand) {
    text += range(20 + operand * words, words) + ", ";
  }
  Snippet snippet = onGfx950(text + "v1" + selection + "\n");
  const Lanes scale = scales(60);
  std::mt19937 random(61);
  std::vector<Lanes> registers(operands * words, Lanes{});
  for (unsigned lane = 0; lane < 64; ++lane) {
    for (unsigned index = 0; index < count; ++index) {
      const unsigned bit = wide.format.bits * index;
      registers[bit / 32][lane] |= wideFor(narrow, wide, random, scaleOf(scale[lane])) << bit % 32;
    }
  }
  for (unsigned index = 0; index < registers.size(); ++index) {
    snippet.vector(20 + index, registers[index]);
  }
  snippet.vector(1, scale).vector(4, 0xa5a5a5a5).wantVectors(4, results);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    for (unsigned index = 0; index < count; ++index) {
      const uint32_t source = element(registers, lane, wide.format.bits, index);
      const double scaled = wide.value(source) / scaleOf(scale[lane]);
      const uint32_t code =
          element(snippet, 4, lane, narrow.width, firstBit / narrow.width + index);
      const uint32_t expected = narrow.nearest(scaled, saturates);
      const uint32_t compared = std::isnan(scaled) ? narrow.sign() - 1 : ~0u; // no sign of NaNs
      EXPECT_EQ(code & compared, expected & compared)
          << text << ", lane " << lane << ": " << wide.value(source) << " over "
          << scaleOf(scale[lane]);
    }
    if (results == 1) {
      const uint32_t written = ((1u << narrow.width * count) - 1) << firstBit;
      EXPECT_EQ(snippet.vectorOut(4)[lane] & ~written, 0xa5a5a5a5 & ~written) << text;
    }
  }
}

TEST(Gfx950Conversion, ScaledPairsAreNarrowedIntoTheChosenPart) {
  for (const bool saturates : {false, true}) {
    for (const Narrow* narrow : {&kFp8, &kBf8}) {
      for (const auto& [wide, operands] : kWideSources) {
        checkNarrowing({*narrow, *wide, 2, operands}, 0, "", saturates);
        checkNarrowing({*narrow, *wide, 2, operands}, 16,
                       operands == 2 ? " op_sel:[0,0,0,1]" : " op_sel:[0,0,1]", saturates);
      }
    }
    const char* kBytes[] = {"", " op_sel:[0,0,1,0]", " op_sel:[0,0,0,1]", " op_sel:[0,0,1,1]"};
    for (unsigned byte = 0; byte < 4; ++byte) {
      for (const auto& [wide, operands] : kWideSources) {
        checkNarrowing({kFp4, *wide, 2, operands}, 8 * byte, kBytes[byte], saturates);
      }
    }
  }
}

TEST(Gfx950Conversion, ScaledBlocksAreNarrowed) {
  for (const Narrow* narrow : {&kFp6, &kBf6}) {
    checkNarrowing({*narrow, kF32, 32, 2}, 0, "", false);
    checkNarrowing({*narrow, kF16, 32, 1}, 0, "", false);
    checkNarrowing({*narrow, kBf16, 32, 1}, 0, "", false);
  }
}

TEST(Gfx950Conversion, SinglesBecomePairsOfHalvesAndBrainFloats) {
  for (const bool zero : {false, true}) {
    Lanes a, b;
    for (unsigned lane = 0; lane < 64; ++lane) {
      a[lane] = static_cast<uint32_t>(interestingBits(kSingle, lane));
      b[lane] = static_cast<uint32_t>(interestingBits(kSingle, lane + 100));
    }
    Snippet snippet = onGfx950(setMode({zero ? Round::Zero : Round::Nearest}) +
                               "v_cvt_pk_f16_f32 v4, v1, |v2|\nv_cvt_pk_bf16_f32 v5, v1, |v2|\n"
                               "v_cvt_f32_bf16 v6, v1\n"
                               "v_cvt_f32_bf16_sdwa v7, v1 src0_sel:WORD_1\n"
                               "v_cvt_f32_bf16 v8, 1.0\n");
    snippet.vector(1, a).vector(2, b).wantVectors(4, 5);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    const auto expect = [&](uint32_t bits, uint32_t source, const FloatFormat& format, Round round,
                            unsigned lane) {
      if (kSingle.isNan(source)) {
        EXPECT_TRUE(format.isNan(bits)) << lane;
      } else if ((source & 0x7fffffff) == 0x7f800000 || (source & 0x7fffffff) == 0) {
        EXPECT_EQ(kF32.value(source), (Wide{"", format}.value(bits))) << lane;
      } else {
        EXPECT_EQ(bits, encode({decode(source, kSingle), 0}, format, round)) << lane;
      }
    };
    for (unsigned lane = 0; lane < 64; ++lane) {
      const Round round = zero ? Round::Zero : Round::Nearest;
      expect(snippet.vectorOut(4)[lane] & 0xffff, a[lane], kHalf, round, lane);
      expect(snippet.vectorOut(4)[lane] >> 16, b[lane] & 0x7fffffff, kHalf, round, lane);
      expect(snippet.vectorOut(5)[lane] & 0xffff, a[lane], kBrain, Round::Nearest, lane);
      expect(snippet.vectorOut(5)[lane] >> 16, b[lane] & 0x7fffffff, kBrain, Round::Nearest, lane);
      EXPECT_EQ(snippet.vectorOut(6)[lane], a[lane] << 16) << lane;
      EXPECT_EQ(snippet.vectorOut(7)[lane], a[lane] & 0xffff0000) << lane;
      EXPECT_EQ(snippet.vectorOut(8)[lane], single(1)) << lane;
    }
  }
}

TEST(Gfx950Conversion, WhatIsNotModelledIsRefusedByName) {
  struct Refused {
    const char* text;
    const char* why;
  };
  constexpr Refused kRefused[] = {
      {"v_cvt_scalef32_sr_fp8_f32 v3, v1, v2, v4", "stochastic"},
      {"v_cvt_sr_bf16_f32 v3, v1, v2", "stochastic"},
      {"v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:19], v[20:23]", "mixed and scaled"},
      {"v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[16:23], v[24:31], v[0:15], v40, v41",
       "mixed and scaled"},
      {"ds_read_b64_tr_b16 v[0:1], v2", "transpose"},
      {"v_cvt_scalef32_pk_f32_fp8 v[2:3], v4, v5 op_sel:[0,1,0]", "op_sel"},
  };
  for (const Refused& refused : kRefused) {
    Snippet snippet = onGfx950(refused.text);
    ASSERT_FALSE(snippet.run()) << refused.text;
    EXPECT_EQ(snippet.fault().kind, Fault::Kind::Unsupported) << snippet.fault().message;
    EXPECT_NE(snippet.fault().message.find(refused.why), std::string::npos)
        << snippet.fault().message;
  }
}

TEST(Gfx950Conversion, EncodingsThatLlvmCannotPrintAreNoInstructions) {
  // A matrix of mixed formats in scalar registers, without and behind scales.
  for (const char* text : {".long 0xd3ad0098\n.long 0x595166ca\n",
                           ".long 0xd3ac0600\n.long 0x00020501\n.long 0xd3ae0098\n"
                           ".long 0x595166ca\n"}) {
    Snippet snippet = onGfx950(text);
    ASSERT_FALSE(snippet.run());
    EXPECT_NE(snippet.fault().message, "");
  }
}

} // namespace
} // namespace gpusim::test
