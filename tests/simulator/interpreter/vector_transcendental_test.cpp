// Approximated functions within the errors that the instruction set states, and their exact
// neighbours: frexp, ldexp, the segments of 2/pi.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "float_reference.h"
#include "snippet.h"

namespace gpusim::test {
namespace {

struct Function {
  std::string mnemonic;
  FloatFormat format;
  long double (*exact)(long double);
  bool flushes; ///< denormals do not exist
};

long double reciprocal(long double x) {
  return 1 / x;
}
long double reciprocalRoot(long double x) {
  return 1 / std::sqrt(x);
}
long double squareRoot(long double x) {
  return std::sqrt(x);
}
long double logarithm(long double x) {
  return std::log2(x);
}
long double power(long double x) {
  return std::exp2(x);
}
long double sine(long double x) {
  return std::abs(x) > 256 && !std::isinf(x)
             ? 0
             : std::sin(2 * std::numbers::pi_v<long double> * std::remainder(x, 1.0L));
}
long double cosine(long double x) {
  return std::abs(x) > 256 && !std::isinf(x)
             ? 1
             : std::cos(2 * std::numbers::pi_v<long double> * std::remainder(x, 1.0L));
}

class Approximates : public testing::TestWithParam<Function> {};

TEST_P(Approximates, StaysWithinOneUnitInTheLastPlace) {
  const Function& test = GetParam();
  const FloatFormat& format = test.format;
  FloatMode mode;
  mode.denormals = !test.flushes;
  std::array<uint64_t, 64> sources;
  Lanes low;
  Lanes high;
  for (unsigned lane = 0; lane < 64; ++lane) {
    sources[lane] = interestingBits(format, lane + 128);
    low[lane] = static_cast<uint32_t>(sources[lane]);
    high[lane] = static_cast<uint32_t>(sources[lane] >> 32);
  }
  Snippet snippet(
      fmt::format("{} {}, {}", test.mnemonic, registerText(4, format), registerText(0, format)));
  snippet.vector(0, low).vector(1, high).vector(5, 0).wantVectors(4, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const uint64_t got = snippet.vectorOut(4)[lane] |
                         (format.bits == 64 ? uint64_t{snippet.vectorOut(5)[lane]} << 32 : 0);
    const std::string what = fmt::format("{} {:#x}: got {:#x}", test.mnemonic, sources[lane], got);
    if (format.isNan(sources[lane])) {
      EXPECT_EQ(got, sources[lane] | format.quiet()) << what;
      continue;
    }
    const auto source =
        static_cast<long double>(decode(flush(sources[lane], format, mode), format));
    const long double exact = test.exact(source);
    const uint64_t want = std::isnan(exact)
                              ? format.defaultNan()
                              : flush(encode({Quad(exact)}, format, Round::Nearest), format, mode);
    if (std::isnan(exact) || std::isinf(exact) || exact == 0) {
      EXPECT_EQ(got, want) << what;
    } else if (std::abs(exact) < 1e-15L && got == 0) {
      continue; // sines of whole half turns: the long double's pi is not exact
    } else {
      const auto distance = static_cast<int64_t>(got - want);
      EXPECT_LE(std::abs(distance), 1) << what << fmt::format(", want {:#x}", want);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Functions, Approximates,
                         testing::Values(Function{"v_rcp_f32", kSingle, reciprocal, true},
                                         Function{"v_rcp_iflag_f32", kSingle, reciprocal, true},
                                         Function{"v_rcp_f64", kDouble, reciprocal, false},
                                         Function{"v_rcp_f16", kHalf, reciprocal, false},
                                         Function{"v_rsq_f32", kSingle, reciprocalRoot, true},
                                         Function{"v_rsq_f64", kDouble, reciprocalRoot, false},
                                         Function{"v_rsq_f16", kHalf, reciprocalRoot, false},
                                         Function{"v_sqrt_f32", kSingle, squareRoot, true},
                                         Function{"v_sqrt_f64", kDouble, squareRoot, false},
                                         Function{"v_sqrt_f16", kHalf, squareRoot, false},
                                         Function{"v_log_f32", kSingle, logarithm, true},
                                         Function{"v_log_f16", kHalf, logarithm, false},
                                         Function{"v_exp_f32", kSingle, power, true},
                                         Function{"v_exp_f16", kHalf, power, false},
                                         Function{"v_sin_f32", kSingle, sine, true},
                                         Function{"v_sin_f16", kHalf, sine, false},
                                         Function{"v_cos_f32", kSingle, cosine, true},
                                         Function{"v_cos_f16", kHalf, cosine, false}),
                         [](const auto& info) { return info.param.mnemonic; });

TEST(Circular, QuartersOfATurnAreExact) {
  Lanes turns;
  for (unsigned lane = 0; lane < 64; ++lane) {
    turns[lane] = std::bit_cast<uint32_t>((static_cast<float>(lane) - 32) * 0.25f);
  }
  Snippet snippet("v_sin_f32 v1, v0\nv_cos_f32 v2, v0");
  snippet.vector(0, turns).wantVectors(1, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  constexpr float kQuarters[] = {0, 1, 0, -1};
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(std::bit_cast<float>(snippet.vectorOut(1)[lane]), kQuarters[lane % 4]) << lane;
    EXPECT_EQ(std::bit_cast<float>(snippet.vectorOut(2)[lane]), kQuarters[(lane + 1) % 4]) << lane;
  }
}

/// Exponent of the leading one plus one, by the definition.
int exponentOf(uint64_t bits, const FloatFormat& format) {
  Quad magnitude = decode(bits & ~format.sign(), format);
  int exponent = 0;
  for (; magnitude >= 1; magnitude /= 2) {
    ++exponent;
  }
  for (; magnitude < Quad(0.5); magnitude *= 2) {
    --exponent;
  }
  return exponent;
}

TEST(Exponent, SplitsDenormalsToo) {
  for (const FloatFormat& format : {kHalf, kSingle, kDouble}) {
    std::array<uint64_t, 64> sources;
    Lanes low;
    Lanes high;
    for (unsigned lane = 0; lane < 64; ++lane) {
      sources[lane] = interestingBits(format, lane + 640);
      low[lane] = static_cast<uint32_t>(sources[lane]);
      high[lane] = static_cast<uint32_t>(sources[lane] >> 32);
    }
    Snippet snippet(fmt::format("v_frexp_mant_f{0} {1}, {2}\nv_frexp_exp_i{3}_f{0} v6, {2}\n",
                                format.bits, registerText(4, format), registerText(0, format),
                                format.bits == 16 ? 16 : 32));
    snippet.vector(0, low).vector(1, high).vector(5, 0).wantVectors(4, 3);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    for (unsigned lane = 0; lane < 64; ++lane) {
      const uint64_t mantissa =
          snippet.vectorOut(4)[lane] |
          (format.bits == 64 ? uint64_t{snippet.vectorOut(5)[lane]} << 32 : 0);
      const uint64_t bits = sources[lane];
      const uint64_t magnitude = bits & ~format.sign();
      const bool split = magnitude != 0 && magnitude < format.infinity();
      const int exponent = split ? exponentOf(bits, format) : 0;
      Quad value = split ? decode(bits, format) : Quad(0);
      for (int step = 0; step < std::abs(exponent); ++step) {
        value = exponent < 0 ? value * 2 : value / 2;
      }
      const uint64_t quiet = format.isNan(bits) ? format.quiet() : 0;
      EXPECT_EQ(mantissa, split ? encode({value}, format, Round::Zero) : bits | quiet)
          << std::hex << bits;
      const uint32_t mask = format.bits == 16 ? 0xffff : 0xffffffff;
      EXPECT_EQ(snippet.vectorOut(6)[lane], static_cast<uint32_t>(exponent) & mask)
          << std::hex << bits;
    }
  }
}

TEST(Exponent, ScalingRoundsOnceIntoDenormalsAndOverflows) {
  for (const FloatFormat& format : {kHalf, kSingle, kDouble}) {
    for (const Round round : {Round::Nearest, Round::Up, Round::Down, Round::Zero}) {
      std::array<uint64_t, 64> sources;
      Lanes low;
      Lanes high;
      Lanes powers;
      for (unsigned lane = 0; lane < 64; ++lane) {
        sources[lane] = interestingBits(format, lane + 99);
        low[lane] = static_cast<uint32_t>(sources[lane]);
        high[lane] = static_cast<uint32_t>(sources[lane] >> 32);
        const int span = format.bias() + static_cast<int>(format.mantissa);
        powers[lane] = static_cast<uint32_t>(lane % 8 == 0 ? (lane % 16 == 0 ? 0x7fff : -0x7fff)
                                                           : -span + static_cast<int>(lane));
      }
      Snippet snippet(setMode({round}) + fmt::format("v_ldexp_f{} {}, {}, v2\n", format.bits,
                                                     registerText(4, format),
                                                     registerText(0, format)));
      snippet.vector(0, low).vector(1, high).vector(2, powers).vector(5, 0).wantVectors(4, 2);
      ASSERT_TRUE(snippet.run()) << snippet.fault().message;
      for (unsigned lane = 0; lane < 64; ++lane) {
        const uint64_t got = snippet.vectorOut(4)[lane] |
                             (format.bits == 64 ? uint64_t{snippet.vectorOut(5)[lane]} << 32 : 0);
        const bool isNan = format.isNan(sources[lane]);
        Quad value = isNan ? Quad(0) : decode(sources[lane], format);
        const int exponent = std::clamp(static_cast<int>(powers[lane]), -5000, 5000);
        for (int step = 0; step < std::abs(exponent); ++step) {
          value = exponent < 0 ? value / 2 : value * 2;
        }
        EXPECT_EQ(got, isNan ? sources[lane] | format.quiet() : encode({value}, format, round))
            << fmt::format("{:#x} * 2^{}, rounding {}", sources[lane], exponent,
                           static_cast<int>(round));
      }
    }
  }
}

double doubleOut(const Snippet& snippet, unsigned index, unsigned lane) {
  return std::bit_cast<double>(snippet.vectorOut(index)[lane] |
                               uint64_t{snippet.vectorOut(index + 1)[lane]} << 32);
}

TEST(TrigonometricPreparation, SegmentsAddUpToTwoOverPi) {
  // Lane 0: a small argument; lane 1: one whose segments start 100 bits later, at bit 100.
  Lanes high{};
  high[0] = 0x40000000;
  high[1] = (1077 + 100) << 20;
  Snippet snippet("v_trig_preop_f64 v[4:5], v[0:1], 0\n"
                  "v_trig_preop_f64 v[6:7], v[0:1], 1\n"
                  "v_trig_preop_f64 v[8:9], v[0:1], 2\n"
                  "v_trig_preop_f64 v[10:11], v[0:1], 31\n"
                  "v_trig_preop_f64 v[12:13], v[0:1], 3\n");
  snippet.vector(0, 0).vector(1, high).wantVectors(4, 10);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  // 2/pi to 113 bits, from a long division of two by pi in two parts.
  const Quad pi = Quad(3.141592653589793116) + Quad(1.2246467991473531772e-16) +
                  Quad(-2.9947698097183396659e-33);
  const Quad twoOverPi = Quad(2) / pi;
  const Quad sum = Quad(doubleOut(snippet, 4, 0)) + Quad(doubleOut(snippet, 6, 0)) +
                   Quad(doubleOut(snippet, 8, 0));
  const auto difference = static_cast<double>(twoOverPi - sum);
  EXPECT_LT(std::abs(difference), 0x1p-108);
  const Quad leading(static_cast<uint64_t>(twoOverPi * Quad(0x1p53)));
  EXPECT_EQ(doubleOut(snippet, 4, 0), static_cast<double>(leading * Quad(0x1p-53)));
  const Quad second(static_cast<uint64_t>((twoOverPi * Quad(0x1p53) - leading) * Quad(0x1p53)));
  EXPECT_EQ(doubleOut(snippet, 6, 0), static_cast<double>(second * Quad(0x1p-106)));
  EXPECT_LT(doubleOut(snippet, 12, 0), 0x1p-159);
  EXPECT_EQ(doubleOut(snippet, 10, 1), 0) << "no bits are left after 1201";
  const double later = doubleOut(snippet, 4, 1); // bits 101 to 153
  __extension__ using Integer = unsigned __int128;
  const Quad shifted = twoOverPi * Quad(0x1p100);
  const auto tail = static_cast<double>(shifted - Quad(static_cast<Integer>(shifted)));
  EXPECT_NEAR(std::ldexp(later, 100), tail, 0x1p-10);
}

} // namespace
} // namespace gpusim::test
