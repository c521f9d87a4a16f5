// The compiler's division sequences must round once; their steps have corner cases of their own.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "float_reference.h"
#include "snippet.h"

namespace gpusim::test {
namespace {

/// Numerators in v0, denominators in v2, result in v16.
constexpr const char* kDivideSingle = R"(
v_div_scale_f32 v10, s[2:3], v2, v2, v0
v_div_scale_f32 v11, vcc, v0, v2, v0
v_rcp_f32 v12, v10
v_fma_f32 v13, -v10, v12, 1.0
v_fma_f32 v12, v13, v12, v12
v_mul_f32 v13, v11, v12
v_fma_f32 v14, -v10, v13, v11
v_fma_f32 v13, v14, v12, v13
v_fma_f32 v14, -v10, v13, v11
v_div_fmas_f32 v15, v14, v12, v13
v_div_fixup_f32 v16, v15, v2, v0
)";
constexpr const char* kDivideDouble = R"(
v_div_scale_f64 v[4:5], s[2:3], v[2:3], v[2:3], v[0:1]
v_div_scale_f64 v[12:13], vcc, v[0:1], v[2:3], v[0:1]
v_rcp_f64 v[6:7], v[4:5]
v_fma_f64 v[8:9], -v[4:5], v[6:7], 1.0
v_fma_f64 v[6:7], v[6:7], v[8:9], v[6:7]
v_fma_f64 v[8:9], -v[4:5], v[6:7], 1.0
v_fma_f64 v[6:7], v[6:7], v[8:9], v[6:7]
v_mul_f64 v[8:9], v[12:13], v[6:7]
v_fma_f64 v[10:11], -v[4:5], v[8:9], v[12:13]
v_div_fmas_f64 v[14:15], v[10:11], v[6:7], v[8:9]
v_div_fixup_f64 v[16:17], v[14:15], v[2:3], v[0:1]
)";

/// Pairs whose quotients are denormal or near the largest number are a third of all.
uint64_t operandBits(const FloatFormat& format, unsigned seed, bool numerator) {
  const uint64_t bits = interestingBits(format, seed);
  if (seed % 3 != 0 || (bits & format.infinity()) == format.infinity()) {
    return bits;
  }
  const uint64_t step = format.fraction() + 1;
  const uint64_t fields = format.infinity() / step;
  const uint64_t exponent = seed % 2 == 0 ? 1 + seed % 40 : fields - 1 - seed % 40;
  const uint64_t middle = seed % 4 == 0 ? 1 + seed % 60 : fields / 2 + seed % 20 - 10;
  const uint64_t mine = numerator ? exponent : middle;
  return (bits & (format.sign() | format.fraction())) | mine * step;
}

uint64_t quotient(uint64_t a, uint64_t b, const FloatFormat& format) {
  if (format.isNan(a) || format.isNan(b)) {
    return (format.isNan(a) ? a : b) | format.quiet();
  }
  // The quotient of two 53-bit numbers, unless it is exact, is farther from every tie than the
  // last of 113 bits, so rounding it twice is rounding it once.
  return encode({decode(a, format) / decode(b, format)}, format, Round::Nearest);
}

using Values = std::array<uint64_t, 64>;

/// Divides a by b, lane by lane.
void expectQuotients(const Values& a, const Values& b, const FloatFormat& format) {
  Lanes words[4];
  for (unsigned lane = 0; lane < 64; ++lane) {
    words[0][lane] = static_cast<uint32_t>(a[lane]);
    words[1][lane] = static_cast<uint32_t>(a[lane] >> 32);
    words[2][lane] = static_cast<uint32_t>(b[lane]);
    words[3][lane] = static_cast<uint32_t>(b[lane] >> 32);
  }
  Snippet snippet(format.bits == 64 ? kDivideDouble : kDivideSingle);
  for (unsigned index = 0; index < 4; ++index) {
    snippet.vector(index, words[index]);
  }
  snippet.wantVectors(16, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const uint64_t high = format.bits == 64 ? snippet.vectorOut(17)[lane] : 0;
    const uint64_t got = snippet.vectorOut(16)[lane] | high << 32;
    EXPECT_EQ(got, quotient(a[lane], b[lane], format))
        << fmt::format("{:#x} / {:#x}: got {:#x}, want {:#x}", a[lane], b[lane], got,
                       quotient(a[lane], b[lane], format));
  }
}

class Division : public testing::TestWithParam<FloatFormat> {};

TEST_P(Division, SequenceRoundsOnceForAllMagnitudes) {
  const FloatFormat format = GetParam();
  for (unsigned seed = 0; seed < 24; ++seed) {
    Values a;
    Values b;
    for (unsigned lane = 0; lane < 64; ++lane) {
      a[lane] = operandBits(format, 64 * seed + lane, true);
      b[lane] = operandBits(format, 64 * seed + lane + 5000 - 5000 % 3, false);
    }
    expectQuotients(a, b, format);
  }
}

/// Waves without a special lane are treated apart: the borders of "special" are crossed wave by
/// wave.
TEST_P(Division, WaveWithoutSpecialLanesRoundsOnceToo) {
  const FloatFormat format = GetParam();
  const uint64_t step = format.fraction() + 1;
  const uint64_t last = format.infinity() / step; // of infinities and NaNs
  const uint64_t bias = last / 2;
  const uint64_t tiny = format.bits == 64 ? 53 : 23;
  const uint64_t numerators[] = {0, 1, tiny, tiny + 1, bias, bias + 3, last - 2, last - 1, last};
  const uint64_t denominators[] = {0, 1, 2, bias - 40, bias, last - 3, last - 2, last - 1, last};
  for (const uint64_t numerator : numerators) {
    for (const uint64_t denominator : denominators) {
      Values a;
      Values b;
      for (unsigned lane = 0; lane < 64; ++lane) {
        const uint64_t kept = format.sign() | format.fraction();
        a[lane] = (interestingBits(format, 3 * lane + 1) & kept) | numerator * step;
        b[lane] = (interestingBits(format, 5 * lane + 2) & kept) | denominator * step;
      }
      expectQuotients(a, b, format);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, Division, testing::Values(kSingle, kDouble),
                         [](const auto& info) { return "f" + std::to_string(info.param.bits); });

TEST(DivisionScale, MasksNameTheScaledLanesOfExecAlone) {
  // A quotient near the largest number: only the denominator is scaled, up by 2^64.
  Snippet snippet("v_div_scale_f32 v4, vcc, v0, v1, v0\n"
                  "v_div_scale_f32 v5, s[2:3], v1, v1, v0\n");
  snippet.vector(4, 0)
      .vector(5, 0)
      .vector(0, 0x7e000000)
      .vector(1, 0x0d000000)
      .exec(0xff00)
      .wantVectors(4, 2)
      .wantScalars(2, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vccOut(), 0xff00u);
  EXPECT_EQ(snippet.scalarPairOut(2), 0xff00u);
  EXPECT_EQ(snippet.vectorOut(4)[8], 0x7e000000u);
  EXPECT_EQ(snippet.vectorOut(5)[8], 0x2d000000u);
  EXPECT_EQ(snippet.vectorOut(5)[0], 0u) << "a lane outside EXEC was written";
}

TEST(DivisionFixup, OperandsDecideWhereTheQuotientIsNone) {
  const struct {
    uint32_t denominator;
    uint32_t numerator;
    uint32_t want;
  } cases[] = {
      {0, 0x80000000, 0xffc00000},          // 0 / 0
      {0x7f800000, 0xff800000, 0xffc00000}, // inf / inf
      {0x80000000, 0x3f800000, 0xff800000}, // 1 / -0
      {0x3f800000, 0xff800000, 0xff800000}, // -inf / 1
      {0xff800000, 0x3f800000, 0x80000000}, // 1 / -inf
      {0xbf800000, 0, 0x80000000},          // 0 / -1
      {0x7f800001, 0x3f800000, 0x7fc00001}, // signalling denominator
      {0x7f800001, 0xff800002, 0xffc00002}, // the numerator's NaN comes first
      {0x7f000000, 0x00000001, 0},          // certain underflow
      {0xbf800000, 0x3f800000, 0xc0490fdb}, // otherwise the quotient with the right sign
  };
  Lanes denominators{};
  Lanes numerators{};
  for (size_t lane = 0; lane < std::size(cases); ++lane) {
    denominators[lane] = cases[lane].denominator;
    numerators[lane] = cases[lane].numerator;
  }
  Snippet snippet("v_div_fixup_f32 v3, v2, v1, v0\n");
  snippet.vector(0, numerators).vector(1, denominators).vector(2, 0x40490fdb).wantVectors(3);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (size_t lane = 0; lane < std::size(cases); ++lane) {
    EXPECT_EQ(snippet.vectorOut(3)[lane], cases[lane].want) << "case " << lane;
  }
}

TEST(DivisionFixup, QuotientThatOverflowedOnTheWayIsTheOverflowOfTheMode) {
  for (const Round round : {Round::Nearest, Round::Up, Round::Down, Round::Zero}) {
    Snippet snippet(setMode({round}) + "v_div_fixup_f32 v3, v2, v1, v0\n"
                                       "v_div_fixup_f32 v4, v2, v1, -v0\n");
    snippet.vector(0, 0x7f000000).vector(1, 1).vector(2, 0x7fc00000).wantVectors(3, 2);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    const bool upInfinite = round == Round::Nearest || round == Round::Up;
    const bool downInfinite = round == Round::Nearest || round == Round::Down;
    EXPECT_EQ(snippet.vectorOut(3)[0], upInfinite ? 0x7f800000u : 0x7f7fffffu);
    EXPECT_EQ(snippet.vectorOut(4)[0], downInfinite ? 0xff800000u : 0xff7fffffu);
  }
}

TEST(DivisionFixup, HalfKeepsTheQuotientAndTheOtherHalfOfTheRegister) {
  Snippet snippet("v_div_fixup_f16 v3, v2, v1, v0\n"
                  "v_div_fixup_f16 v4, v2, v1, v0 op_sel:[1,0,0,1]\n"
                  "v_div_fixup_legacy_f16 v5, v2, v1, v0\n");
  snippet.vector(0, 0x3c00).vector(1, 0xbc00).vector(2, 0x45671234);
  snippet.vector(3, 0xaaaabbbb).vector(4, 0xaaaabbbb).vector(5, 0xaaaabbbb).wantVectors(3, 3);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(3)[0], 0xaaaa9234u);
  EXPECT_EQ(snippet.vectorOut(4)[0], 0xc567bbbbu);
  EXPECT_EQ(snippet.vectorOut(5)[0], 0x9234u);
}

} // namespace
} // namespace gpusim::test
