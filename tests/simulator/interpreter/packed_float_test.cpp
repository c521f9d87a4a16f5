// Packed and mixed-precision arithmetic against a reference that rounds exact results itself.
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "snippet.h"

namespace gpusim::test {
namespace {

constexpr uint64_t kSomeLanes = 0x8000f0f1123400c1;
constexpr uint32_t kOld = 0xdeadbeef;
using Exact = long double; // 64 bits: sums of halves and their products are exact in it

struct Format {
  int mantissa; ///< bits after the leading one
  int lowest;   ///< exponent of the smallest normal number
  int highest;
};
constexpr Format kHalf{10, -14, 15};
constexpr Format kSingle{23, -126, 127};

enum class Round { Nearest, Up, Down, Zero };

/// Settings of MODE for one run of a snippet.
struct Mode {
  Round round = Round::Nearest;
  bool denormalsIn = true;
  bool denormalsOut = true;
  bool ieee = true;
  bool dx10 = true;
};

/// Puts `mode` into both precisions' fields.
std::string setMode(const Mode& mode) {
  const unsigned round = static_cast<unsigned>(mode.round);
  const unsigned denormals = (mode.denormalsIn ? 1u : 0u) | (mode.denormalsOut ? 2u : 0u);
  return fmt::format("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), {}\n"
                     "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), {}\n"
                     "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 8, 2), {}\n",
                     round | round << 2, denormals | denormals << 2,
                     (mode.dx10 ? 1 : 0) | (mode.ieee ? 2 : 0));
}

Exact decode(uint32_t bits, const Format& format) {
  const unsigned exponentBits = format.mantissa == 10 ? 5 : 8;
  const uint32_t fraction = bits & ((1u << format.mantissa) - 1);
  const int exponent = static_cast<int>(bits >> format.mantissa & ((1u << exponentBits) - 1));
  const bool negative = (bits >> (format.mantissa + static_cast<int>(exponentBits)) & 1) != 0;
  Exact value = 0;
  if (exponent == (1 << exponentBits) - 1) {
    value = fraction == 0 ? std::numeric_limits<Exact>::infinity()
                          : std::numeric_limits<Exact>::quiet_NaN();
  } else if (exponent == 0) {
    value = std::ldexp(Exact(fraction), format.lowest - format.mantissa);
  } else {
    value = std::ldexp(Exact(fraction | 1u << format.mantissa),
                       exponent - 1 + format.lowest - format.mantissa);
  }
  return std::copysign(value, negative ? Exact(-1) : Exact(1));
}

bool isDenormal(Exact value, const Format& format) {
  return value != 0 && std::abs(value) < std::ldexp(Exact(1), format.lowest);
}

/// `value` plus an unseen `rest` of the given sign, rounded to the format.
Exact roundTo(Exact value, int rest, const Format& format, Round round) {
  if (value == 0 || !std::isfinite(value)) {
    return value;
  }
  const int exponent = std::max(std::ilogb(value), format.lowest);
  const Exact unit = std::ldexp(Exact(1), exponent - format.mantissa);
  const Exact scaled = value / unit;
  const Exact below = std::floor(scaled);
  const Exact part = scaled - below;
  const bool exact = part == 0 && rest == 0;
  Exact lower = below;
  if (part == 0 && rest < 0) {
    lower = below - 1;
  }
  const bool isTie = part == Exact(0.5) && rest == 0;
  const bool isUpper = part > Exact(0.5) || (part == Exact(0.5) && rest > 0) ||
                       (part == 0 && rest < 0) || (isTie && std::fmod(lower, Exact(2)) != 0);
  const bool up = round == Round::Nearest ? isUpper
                  : round == Round::Zero  ? value < 0
                                          : round == Round::Up;
  Exact result = (exact ? below : lower + (up ? 1 : 0)) * unit;
  const Exact largest =
      std::ldexp(Exact(2) - std::ldexp(Exact(1), -format.mantissa), format.highest);
  if (std::abs(result) > largest) {
    const bool infinite = round == Round::Nearest || (round == Round::Up && value > 0) ||
                          (round == Round::Down && value < 0);
    result = std::copysign(infinite ? std::numeric_limits<Exact>::infinity() : largest, value);
  }
  return std::copysign(result, value);
}

/// A sum in `Exact` and the sign of what that lost.
struct Sum {
  Exact value;
  int rest;
};

Sum add(Exact a, Exact b, Round round) {
  Exact sum = a + b;
  if (sum == 0 && a == -b && !(a == 0 && std::signbit(a) == std::signbit(b))) {
    sum = round == Round::Down ? -Exact(0) : Exact(0);
  }
  const Exact large = std::abs(a) > std::abs(b) ? a : b;
  const Exact small = std::abs(a) > std::abs(b) ? b : a;
  const Exact error = std::isfinite(sum) ? small - (sum - large) : 0;
  return {sum, error > 0 ? 1 : error < 0 ? -1 : 0};
}

Sum operate(const std::string& name, Exact a, Exact b, Exact c, const Mode& mode) {
  if (name == "add") {
    return add(a, b, mode.round);
  }
  if (name == "mul") {
    return {a * b, 0};
  }
  if (name == "fma") {
    return add(a * b, c, mode.round);
  }
  const bool takeFirst =
      name == "min" ? a < b || (a == b && std::signbit(a)) : a > b || (a == b && !std::signbit(a));
  return {std::isnan(a) ? b : std::isnan(b) || takeFirst ? a : b, 0};
}

Exact input(uint32_t bits, const Format& format, const Mode& mode, bool negate) {
  Exact value = decode(bits, format);
  if (!mode.denormalsIn && isDenormal(value, format)) {
    value = std::copysign(Exact(0), value);
  }
  return negate ? -value : value;
}

Exact finish(Sum sum, const Format& format, const Mode& mode, bool clamp) {
  Exact result = roundTo(sum.value, sum.rest, format, mode.round);
  if (!mode.denormalsOut && isDenormal(result, format)) {
    result = std::copysign(Exact(0), result);
  }
  if (clamp) {
    result = std::isnan(result) ? (mode.dx10 ? 0 : result)
             : result < 0       ? 0
             : result > 1       ? 1
                                : result;
  }
  return result;
}

/// Equal values of equal sign, or both NaN.
void expectValue(uint32_t bits, Exact want, const Format& format, const std::string& where) {
  const Exact got = decode(bits, format);
  if (std::isnan(want)) {
    EXPECT_TRUE(std::isnan(got)) << where;
    return;
  }
  EXPECT_EQ(static_cast<double>(got), static_cast<double>(want)) << where;
  EXPECT_EQ(std::signbit(got), std::signbit(want)) << where;
}

constexpr uint32_t kHalfEdges[] = {0x0000, 0x8000, 0x0001, 0x83ff, 0x0400, 0x3c00, 0xbc01, 0x7bff,
                                   0xfbff, 0x7c00, 0xfc00, 0x7e01, 0x3555, 0x6801, 0x1001, 0x0c00};
constexpr uint32_t kSingleEdges[] = {
    0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0x3f800000, 0xbf800001, 0x7f7fffff,
    0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00001, 0x3eaaaaab, 0x4b800001, 0x33800001, 0x1f000001};

/// Edge values of both halves, random ones in between.
Lanes halfLanes(uint32_t seed) {
  std::mt19937 random(seed);
  const auto half = [&] {
    const auto bits = static_cast<uint32_t>(random() & 0xffff);
    const bool isNan = (bits & 0x7fff) > 0x7c00; // the signalling ones have a test of their own
    return random() % 2 == 0 ? kHalfEdges[random() % 16] : bits | (isNan ? 0x0200u : 0u);
  };
  Lanes lanes;
  for (uint32_t& lane : lanes) {
    lane = half() | half() << 16;
  }
  return lanes;
}

Lanes singleLanes(uint32_t seed) {
  std::mt19937 random(seed);
  Lanes lanes;
  for (uint32_t& lane : lanes) {
    const uint32_t near = 0x3f800000u + static_cast<uint32_t>(random() % 0x01000000u);
    lane = random() % 2 == 0 ? kSingleEdges[random() % 16] : near ^ (random() & 0x80000000u);
  }
  return lanes;
}

bool isActive(unsigned lane) {
  return (kSomeLanes >> lane & 1) != 0;
}

struct PackedCase {
  const char* operation;
  unsigned sources;
};

/// How one instruction differs from its plain form.
struct Variant {
  const char* modifiers = "";
  unsigned opSel = 0;
  unsigned opSelHi = 7;
  unsigned negLo = 0;
  unsigned negHi = 0;
  bool clamp = false;
};

constexpr Variant kPlain{};
constexpr Variant kVariants[] = {
    {"op_sel:[1,0] op_sel_hi:[0,1]", 1, 2, 0, 0, false},
    {"neg_lo:[1,0] neg_hi:[0,1]", 0, 7, 1, 2, false},
    {"clamp", 0, 7, 0, 0, true},
};
constexpr Variant kVariantsOfThree[] = {
    {"op_sel:[1,0,1] op_sel_hi:[0,1,0]", 5, 2, 0, 0, false},
    {"neg_lo:[1,0,1] neg_hi:[0,1,0]", 0, 7, 5, 2, false},
    {"clamp", 0, 7, 0, 0, true},
};

const Mode kModes[] = {{},
                       {.round = Round::Up},
                       {.round = Round::Down},
                       {.round = Round::Zero},
                       {.denormalsIn = false, .denormalsOut = false},
                       {.denormalsIn = true, .denormalsOut = false},
                       {.ieee = false, .dx10 = false}};

uint32_t halfOf(uint32_t word, unsigned upper) {
  return upper != 0 ? word >> 16 : word & 0xffff;
}

void expectHalves(const PackedCase& test, const Variant& variant, const Mode& mode, uint32_t seed) {
  const Lanes in[] = {halfLanes(seed), halfLanes(seed + 1), halfLanes(seed + 2)};
  Snippet snippet(setMode(mode) + fmt::format("v_pk_{}_f16 v4, v1, v2{} {}", test.operation,
                                              test.sources == 3 ? ", v3" : "", variant.modifiers));
  snippet.vector(1, in[0]).vector(2, in[1]).vector(3, in[2]).vector(4, kOld);
  snippet.exec(kSomeLanes).wantVectors(4);
  ASSERT_TRUE(snippet.run()) << test.operation << ": " << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const uint32_t out = snippet.vectorOut(4)[lane];
    if (!isActive(lane)) {
      EXPECT_EQ(out, kOld);
      continue;
    }
    for (unsigned part = 0; part < 2; ++part) {
      const unsigned select = part == 0 ? variant.opSel : variant.opSelHi;
      const unsigned negate = part == 0 ? variant.negLo : variant.negHi;
      Exact value[3];
      std::string where = fmt::format("{} {} round {}", test.operation, variant.modifiers,
                                      static_cast<int>(mode.round));
      for (unsigned source = 0; source < 3; ++source) {
        const uint32_t bits = halfOf(in[source][lane], select >> source & 1);
        value[source] = input(bits, kHalf, mode, (negate >> source & 1) != 0);
        where += fmt::format(" {:#x}", bits);
      }
      const Sum sum = operate(test.operation, value[0], value[1], value[2], mode);
      expectValue(halfOf(out, part), finish(sum, kHalf, mode, variant.clamp), kHalf, where);
    }
  }
}

constexpr PackedCase kHalfCases[] = {{"add", 2}, {"mul", 2}, {"fma", 3}, {"min", 2}, {"max", 2}};

TEST(PackedHalf, EveryModeRoundsOnce) {
  for (const PackedCase& test : kHalfCases) {
    for (const Mode& mode : kModes) {
      expectHalves(test, kPlain, mode, 21);
    }
  }
}

TEST(PackedHalf, ModifiersApplyToTheirHalf) {
  for (const PackedCase& test : kHalfCases) {
    for (const Variant& variant : test.sources == 3 ? kVariantsOfThree : kVariants) {
      expectHalves(test, variant, {}, 31);
    }
  }
}

TEST(PackedHalf, SignallingNanWinsInIeeeModeOnly) {
  for (const bool ieee : {true, false}) {
    Snippet snippet(setMode({.ieee = ieee}) + "v_pk_max_f16 v2, v0, v1");
    snippet.vector(0, 0x7d003c00).vector(1, 0x3c007e55).wantVectors(2);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    EXPECT_EQ(snippet.vectorOut(2)[3], ieee ? 0x7f003c00u : 0x3c003c00u);
  }
}

TEST(PackedHalf, OverflowIsBoundedWhenModeSaysSo) {
  Snippet snippet("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), 1\n"
                  "v_pk_mul_f16 v1, v0, v0\n"
                  "v_pk_add_f16 v3, v2, v2");
  snippet.vector(0, 0x7bff7c00).vector(2, 0xfbff3c00).wantVectors(1, 3);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(1)[0], 0x7bff7c00u);
  EXPECT_EQ(snippet.vectorOut(3)[0], 0xfbff4000u);
}

TEST(PackedHalf, FloatConstantsAreLowHalves) {
  Snippet snippet("v_pk_add_f16 v1, v0, 1.0\n"
                  "v_pk_add_f16 v2, v0, 1.0 op_sel_hi:[1,0]\n"
                  "v_pk_mul_f16 v3, v0, s3\n");
  snippet.vector(0, 0x40003c00).scalar(3, 0xbc004000).wantVectors(1, 3);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(1)[0], 0x40004000u);
  EXPECT_EQ(snippet.vectorOut(2)[0], 0x42004000u);
  EXPECT_EQ(snippet.vectorOut(3)[0], 0xc0004000u);
}

TEST(PackedHalf, FusedAccumulateTakesMovedSources) {
  Snippet snippet("v_pk_fmac_f16 v1, v0, v2\n"
                  "v_pk_fmac_f16_dpp v3, v0, v2 row_shr:1 row_mask:0xf bank_mask:0xf\n"
                  "v_pk_fmac_f16 v4, 0x42004000, v2\n");
  Lanes counted;
  for (unsigned lane = 0; lane < 64; ++lane) {
    counted[lane] = lane % 2 == 0 ? 0x3c004000 : 0x40003c00; // 2 and 1, or 1 and 2
  }
  snippet.vector(0, counted).vector(1, 0x3c003c00).vector(2, 0x44004200).vector(3, 0x3c003c00);
  snippet.vector(4, 0x00000000).wantVectors(0, 5);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(1)[2], 0x45004700u); // 1*4+1, 2*3+1
  EXPECT_EQ(snippet.vectorOut(1)[3], 0x48804400u); // 2*4+1, 1*3+1
  EXPECT_EQ(snippet.vectorOut(3)[3], 0x45004700u);
  EXPECT_EQ(snippet.vectorOut(3)[16], 0x3c003c00u);
  EXPECT_EQ(snippet.vectorOut(4)[5], 0x4a004600u); // 3*4, 2*3
}

void expectSingles(const PackedCase& test, const Variant& variant, const Mode& mode,
                   uint32_t seed) {
  Lanes in[3][2];
  for (unsigned source = 0; source < 3; ++source) {
    in[source][0] = singleLanes(seed + 2 * source);
    in[source][1] = singleLanes(seed + 2 * source + 1);
  }
  // The destination is also a source, so that a half written too early is seen.
  Snippet snippet(setMode(mode) + fmt::format("v_pk_{}_f32 v[2:3], v[2:3], v[4:5]{} {}",
                                              test.operation, test.sources == 3 ? ", v[6:7]" : "",
                                              variant.modifiers));
  for (unsigned source = 0; source < 3; ++source) {
    snippet.vector(2 + 2 * source, in[source][0]).vector(3 + 2 * source, in[source][1]);
  }
  snippet.exec(kSomeLanes).wantVectors(2, 2);
  ASSERT_TRUE(snippet.run()) << test.operation << ": " << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    for (unsigned part = 0; part < 2; ++part) {
      const uint32_t out = snippet.vectorOut(2 + part)[lane];
      if (!isActive(lane)) {
        EXPECT_EQ(out, in[0][part][lane]);
        continue;
      }
      const unsigned select = part == 0 ? variant.opSel : variant.opSelHi;
      const unsigned negate = part == 0 ? variant.negLo : variant.negHi;
      Exact value[3];
      std::string where = fmt::format("{} {} round {}", test.operation, variant.modifiers,
                                      static_cast<int>(mode.round));
      for (unsigned source = 0; source < 3; ++source) {
        const uint32_t bits = in[source][select >> source & 1][lane];
        value[source] = input(bits, kSingle, mode, (negate >> source & 1) != 0);
        where += fmt::format(" {:#x}", bits);
      }
      const Sum sum = operate(test.operation, value[0], value[1], value[2], mode);
      expectValue(out, finish(sum, kSingle, mode, variant.clamp), kSingle, where);
    }
  }
}

constexpr PackedCase kSingleCases[] = {{"add", 2}, {"mul", 2}, {"fma", 3}};

TEST(PackedSingle, EveryModeRoundsOnce) {
  for (const PackedCase& test : kSingleCases) {
    for (const Mode& mode : kModes) {
      expectSingles(test, kPlain, mode, 41);
    }
  }
}

TEST(PackedSingle, ModifiersApplyToTheirRegister) {
  for (const PackedCase& test : kSingleCases) {
    for (const Variant& variant : test.sources == 3 ? kVariantsOfThree : kVariants) {
      expectSingles(test, variant, {}, 51);
    }
  }
}

TEST(PackedSingle, ScalarsAndConstantsAreSelected) {
  Snippet snippet("v_pk_mul_f32 v[2:3], v[0:1], s[4:5]\n"
                  "v_pk_mul_f32 v[4:5], v[0:1], s[4:5] op_sel:[0,1] op_sel_hi:[1,0]\n"
                  "v_pk_add_f32 v[6:7], v[0:1], 1.0 op_sel_hi:[1,0]\n"
                  "v_pk_add_f32 v[8:9], v[0:1], 0\n");
  snippet.vector(0, 0x40000000).vector(1, 0x40400000).scalar(4, 0x3f800000).scalar(5, 0x41200000);
  snippet.wantVectors(2, 8);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  const float want[] = {2, 30, 20, 3, 3, 4, 2, 3};
  for (unsigned index = 0; index < 8; ++index) {
    EXPECT_EQ(std::bit_cast<float>(snippet.vectorOut(2 + index)[7]), want[index]) << index;
  }
}

TEST(PackedSingle, UpperHalfOfAConstantIsRefused) {
  Snippet snippet("v_pk_add_f32 v[2:3], v[0:1], 1.0");
  ASSERT_FALSE(snippet.run());
  EXPECT_EQ(snippet.fault().kind, Fault::Kind::Unsupported);
  EXPECT_NE(snippet.fault().message.find("upper half of a constant"), std::string::npos)
      << snippet.fault().message;
}

TEST(PackedMove, LowComesFromTheFirstSourceAndHighFromTheSecond) {
  Snippet snippet("v_pk_mov_b32 v[4:5], v[0:1], v[2:3]\n"
                  "v_pk_mov_b32 v[6:7], v[0:1], v[2:3] op_sel:[1,1]\n"
                  "v_pk_mov_b32 v[0:1], v[0:1], v[0:1] op_sel:[1,0]\n"
                  "v_pk_mov_b32 v[8:9], s[4:5], s[4:5] op_sel:[0,1]\n"
                  "v_pk_mov_b32 v[10:11], 7, -1\n");
  for (unsigned index = 0; index < 4; ++index) {
    snippet.vector(index, 100 + index);
  }
  snippet.scalar(4, 104).scalar(5, 105).wantVectors(0, 12);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  const uint32_t want[] = {101, 100, 102, 103, 100, 102, 101, 103, 104, 105, 7, ~0u};
  for (unsigned index = 0; index < 12; ++index) {
    EXPECT_EQ(snippet.vectorOut(index)[63], want[index]) << index;
  }
}

struct MixCase {
  const char* mnemonic;
  const char* modifiers;
  unsigned opSel;
  unsigned halves; ///< which sources are halves
  bool clamp;
};

constexpr MixCase kMixCases[] = {
    {"v_fma_mix_f32", "", 0, 0, false},
    {"v_fma_mix_f32", "op_sel:[1,0,0] op_sel_hi:[1,1,0]", 1, 3, false},
    {"v_fma_mix_f32", "op_sel_hi:[0,0,1] clamp", 0, 4, true},
    {"v_fma_mixlo_f16", "op_sel:[0,1,1] op_sel_hi:[1,1,1]", 6, 7, false},
    {"v_fma_mixlo_f16", "op_sel_hi:[1,0,0] clamp", 0, 1, true},
    {"v_fma_mixhi_f16", "op_sel:[0,0,1] op_sel_hi:[0,1,1]", 4, 6, false},
};

/// Sources -|v1|, v2, -v3.
Exact mixReference(const MixCase& test, const uint32_t (&words)[3], const Mode& mode) {
  Exact value[3];
  for (unsigned source = 0; source < 3; ++source) {
    const bool half = (test.halves >> source & 1) != 0;
    value[source] = half
                        ? input(halfOf(words[source], test.opSel >> source & 1), kHalf, mode, false)
                        : input(words[source], kSingle, mode, false);
  }
  const Sum sum = add(-std::abs(value[0]) * value[1], -value[2], mode.round);
  const bool toSingle = std::string(test.mnemonic) == "v_fma_mix_f32";
  const Exact single = finish(sum, kSingle, mode, toSingle && test.clamp);
  return toSingle ? single : finish({single, 0}, kHalf, mode, test.clamp);
}

TEST(MixedPrecision, SourcesAreWidenedAndResultsRounded) {
  for (const MixCase& test : kMixCases) {
    for (const Mode& mode : kModes) {
      // Alternating lanes, so that halves meet singles of their own range too.
      Lanes in[] = {halfLanes(61), halfLanes(62), halfLanes(63)};
      const Lanes singles[] = {singleLanes(64), singleLanes(65), singleLanes(66)};
      for (unsigned lane = 0; lane < 64; ++lane) {
        for (unsigned source = 0; source < 3; ++source) {
          if ((test.halves >> source & 1) == 0) {
            in[source][lane] = singles[source][lane];
          }
        }
      }
      Snippet snippet(setMode(mode) +
                      fmt::format("{} v4, -|v1|, v2, -v3 {}", test.mnemonic, test.modifiers));
      snippet.vector(1, in[0]).vector(2, in[1]).vector(3, in[2]).vector(4, kOld).wantVectors(4);
      ASSERT_TRUE(snippet.run()) << test.mnemonic << ": " << snippet.fault().message;
      for (unsigned lane = 0; lane < 64; ++lane) {
        const uint32_t words[] = {in[0][lane], in[1][lane], in[2][lane]};
        const uint32_t out = snippet.vectorOut(4)[lane];
        const std::string where =
            fmt::format("{} {} round {} sources {:#x} {:#x} {:#x}", test.mnemonic, test.modifiers,
                        static_cast<int>(mode.round), words[0], words[1], words[2]);
        const Exact want = mixReference(test, words, mode);
        const std::string name = test.mnemonic;
        if (name == "v_fma_mix_f32") {
          expectValue(out, want, kSingle, where);
        } else {
          const unsigned high = name == "v_fma_mixhi_f16" ? 1 : 0;
          expectValue(halfOf(out, high), want, kHalf, where);
          EXPECT_EQ(halfOf(out, 1 - high), halfOf(kOld, 1 - high)) << where;
        }
      }
    }
  }
}

TEST(MixedPrecision, ConstantAsAHalfIsRefusedWithItsAddress) {
  for (const char* mnemonic : {"v_fma_mix_f32", "v_fma_mixlo_f16"}) {
    Snippet snippet(fmt::format("{} v0, v1, 1.0, v2 op_sel_hi:[0,1,0]", mnemonic));
    ASSERT_FALSE(snippet.run());
    EXPECT_EQ(snippet.fault().kind, Fault::Kind::Unsupported);
    EXPECT_NE(snippet.fault().message.find(mnemonic), std::string::npos) << snippet.fault().message;
    EXPECT_NE(snippet.fault().message.find("pc 0x7f0000000"), std::string::npos)
        << snippet.fault().message;
  }
}

TEST(DotOfHalves, ProductsAreAddedOneByOneWithoutDenormals) {
  constexpr Mode kFlushed{.denormalsIn = false, .denormalsOut = false};
  const Lanes in[] = {halfLanes(71), halfLanes(72), singleLanes(73)};
  Snippet snippet("v_dot2_f32_f16 v4, v1, v2, v3\n"
                  "v_dot2_f32_f16 v5, v1, v2, v3 neg_lo:[1,0,1] neg_hi:[0,1,0] clamp\n"
                  "v_mov_b32 v6, v3\n"
                  "v_dot2c_f32_f16 v6, v1, v2\n");
  snippet.vector(1, in[0]).vector(2, in[1]).vector(3, in[2]).wantVectors(4, 3);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    for (const bool negated : {false, true}) {
      const auto half = [&](unsigned source, unsigned part, bool negate) {
        return input(halfOf(in[source][lane], part), kHalf, kFlushed, negated && negate);
      };
      const Exact start = input(in[2][lane], kSingle, kFlushed, negated);
      const Exact first = finish(add(half(0, 0, true) * half(1, 0, false), start, Round::Nearest),
                                 kSingle, {}, false);
      const Exact want = finish(add(half(0, 1, false) * half(1, 1, true), first, Round::Nearest),
                                kSingle, kFlushed, negated);
      const std::string where = fmt::format("lane {}", lane);
      expectValue(snippet.vectorOut(negated ? 5 : 4)[lane], want, kSingle, where);
      if (!negated) {
        EXPECT_EQ(snippet.vectorOut(6)[lane], snippet.vectorOut(4)[lane]);
      }
    }
  }
}

} // namespace
} // namespace gpusim::test
