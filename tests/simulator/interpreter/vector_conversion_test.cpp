// Conversions between formats against exact numbers.
#include <limits>
#include <type_traits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "float_reference.h"
#include "snippet.h"

namespace gpusim::test {
namespace {

constexpr uint64_t kSomeLanes = 0x8000f0f1123400c1;

struct Conversion {
  std::string mnemonic;
  FloatFormat source;
  unsigned resultBits;
  std::function<uint64_t(uint64_t bits, Round)> reference;
  bool fromInteger = false;
};

Quad roundedToInteger(Quad value, Round round) {
  const Quad magnitude = value < 0 ? -value : value;
  const auto whole = static_cast<uint64_t>(magnitude);
  const Quad rest = magnitude - Quad(whole);
  const bool up = round == Round::Nearest
                      ? rest > Quad(0.5) || (rest == Quad(0.5) && (whole & 1) != 0)
                      : rest > 0 && round == (value < 0 ? Round::Down : Round::Up);
  const Quad result = Quad(whole + (up ? 1 : 0));
  return value < 0 ? -result : result;
}

/// NaN is 0; out of range is the nearest limit.
template <class Integer>
auto toInteger(const FloatFormat& source, Round round, Quad addend = 0) {
  return [=](uint64_t bits, Round) -> uint64_t {
    constexpr Quad kLow = std::numeric_limits<Integer>::min();
    constexpr Quad kHigh = std::numeric_limits<Integer>::max();
    Integer result = 0;
    if (!source.isNan(bits)) {
      const Quad value = decode(bits, source) + addend;
      result = static_cast<Integer>(value <= kLow    ? kLow
                                    : value >= kHigh ? kHigh
                                                     : roundedToInteger(value, round));
    }
    return static_cast<std::make_unsigned_t<Integer>>(result);
  };
}

template <class Integer>
auto fromInteger(const FloatFormat& result, unsigned shift = 0) {
  return [=](uint64_t bits, Round round) {
    return encode({Quad(static_cast<Integer>(bits >> shift))}, result, round);
  };
}

/// NaNs keep the upper part of their payload and become quiet.
auto toFormat(const FloatFormat& source, const FloatFormat& result) {
  return [=](uint64_t bits, Round round) {
    if (source.isNan(bits)) {
      const uint64_t sign = (bits & source.sign()) != 0 ? result.sign() : 0;
      const uint64_t payload = bits & source.fraction();
      const uint64_t moved = result.mantissa > source.mantissa
                                 ? payload << (result.mantissa - source.mantissa)
                                 : payload >> (source.mantissa - result.mantissa);
      return sign | result.infinity() | result.quiet() | moved;
    }
    return encode({decode(bits, source)}, result, round);
  };
}

template <class Integer>
auto normalised(const FloatFormat& source) {
  return [=](uint64_t bits, Round) -> uint64_t {
    if (source.isNan(bits)) {
      return 0;
    }
    const Quad low = std::is_signed_v<Integer> ? -1 : 0;
    const Quad value = decode(bits, source);
    const Quad limited = value < low ? low : value > 1 ? Quad(1) : value;
    const Quad scaled = limited * Quad(std::numeric_limits<Integer>::max());
    return static_cast<std::make_unsigned_t<Integer>>(
        static_cast<Integer>(roundedToInteger(scaled, Round::Nearest)));
  };
}

class Converts : public testing::TestWithParam<Conversion> {};

uint64_t sourceBits(const Conversion& test, unsigned seed) {
  if (!test.fromInteger) {
    return interestingBits(test.source, seed);
  }
  // Ties of single precision are integers near powers of two.
  const uint64_t noise = interestingBits(kDouble, 4 * seed + 1);
  const uint64_t near = (uint64_t{1} << seed % 33) + (noise % 5 - 2) * (1 + (seed / 33) * 64);
  return (seed % 2 == 0 ? noise : near) & 0xffffffff;
}

void checkConversion(const Conversion& test, Round round, uint64_t exec, unsigned seed) {
  std::array<uint64_t, 64> sources;
  Lanes low;
  Lanes high;
  for (unsigned lane = 0; lane < 64; ++lane) {
    sources[lane] = sourceBits(test, seed + lane);
    low[lane] = static_cast<uint32_t>(sources[lane]);
    high[lane] = static_cast<uint32_t>(sources[lane] >> 32);
  }
  const FloatFormat result{test.resultBits, 0};
  Snippet snippet(setMode({round}) + fmt::format("{} {}, {}\n", test.mnemonic,
                                                 registerText(4, result),
                                                 registerText(0, test.source)));
  snippet.vector(0, low).vector(1, high).vector(4, 0xabcdef01).vector(5, 0xabcdef01);
  snippet.exec(exec).wantVectors(4, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const uint64_t got =
        test.resultBits == 64
            ? snippet.vectorOut(4)[lane] | static_cast<uint64_t>(snippet.vectorOut(5)[lane]) << 32
            : snippet.vectorOut(4)[lane];
    const uint64_t old = test.resultBits == 64 ? 0xabcdef01abcdef01 : 0xabcdef01;
    const uint64_t want = (exec >> lane & 1) != 0 ? test.reference(sources[lane], round) : old;
    EXPECT_EQ(got, want) << fmt::format("{} {:#x} rounding {}: got {:#x}, want {:#x}",
                                        test.mnemonic, sources[lane], static_cast<int>(round), got,
                                        want);
  }
}

TEST_P(Converts, RoundsAndSaturatesInEveryMode) {
  unsigned seed = 0;
  for (const Round round : {Round::Nearest, Round::Up, Round::Down, Round::Zero}) {
    checkConversion(GetParam(), round, ~uint64_t{0}, seed += 200);
  }
  checkConversion(GetParam(), Round::Nearest, kSomeLanes, 7000);
}

std::string conversionName(const testing::TestParamInfo<Conversion>& info) {
  return info.param.mnemonic;
}

INSTANTIATE_TEST_SUITE_P(
    ToIntegers, Converts,
    testing::Values(
        Conversion{"v_cvt_i32_f32", kSingle, 32, toInteger<int32_t>(kSingle, Round::Zero)},
        Conversion{"v_cvt_u32_f32", kSingle, 32, toInteger<uint32_t>(kSingle, Round::Zero)},
        Conversion{"v_cvt_i32_f64", kDouble, 32, toInteger<int32_t>(kDouble, Round::Zero)},
        Conversion{"v_cvt_u32_f64", kDouble, 32, toInteger<uint32_t>(kDouble, Round::Zero)},
        Conversion{"v_cvt_i16_f16", kHalf, 16, toInteger<int16_t>(kHalf, Round::Zero)},
        Conversion{"v_cvt_u16_f16", kHalf, 16, toInteger<uint16_t>(kHalf, Round::Zero)},
        Conversion{"v_cvt_flr_i32_f32", kSingle, 32, toInteger<int32_t>(kSingle, Round::Down)},
        Conversion{"v_cvt_rpi_i32_f32", kSingle, 32,
                   toInteger<int32_t>(kSingle, Round::Down, Quad(0.5))},
        Conversion{"v_cvt_norm_i16_f16", kHalf, 16, normalised<int16_t>(kHalf)},
        Conversion{"v_cvt_norm_u16_f16", kHalf, 16, normalised<uint16_t>(kHalf)}),
    conversionName);

INSTANTIATE_TEST_SUITE_P(
    FromIntegers, Converts,
    testing::Values(
        Conversion{"v_cvt_f32_i32", kSingle, 32, fromInteger<int32_t>(kSingle), true},
        Conversion{"v_cvt_f32_u32", kSingle, 32, fromInteger<uint32_t>(kSingle), true},
        Conversion{"v_cvt_f64_i32", kSingle, 64, fromInteger<int32_t>(kDouble), true},
        Conversion{"v_cvt_f64_u32", kSingle, 64, fromInteger<uint32_t>(kDouble), true},
        Conversion{"v_cvt_f16_i16", kHalf, 16, fromInteger<int16_t>(kHalf), true},
        Conversion{"v_cvt_f16_u16", kHalf, 16, fromInteger<uint16_t>(kHalf), true},
        Conversion{"v_cvt_f32_ubyte0", kSingle, 32, fromInteger<uint8_t>(kSingle, 0), true},
        Conversion{"v_cvt_f32_ubyte1", kSingle, 32, fromInteger<uint8_t>(kSingle, 8), true},
        Conversion{"v_cvt_f32_ubyte2", kSingle, 32, fromInteger<uint8_t>(kSingle, 16), true},
        Conversion{"v_cvt_f32_ubyte3", kSingle, 32, fromInteger<uint8_t>(kSingle, 24), true}),
    conversionName);

INSTANTIATE_TEST_SUITE_P(
    BetweenFormats, Converts,
    testing::Values(Conversion{"v_cvt_f16_f32", kSingle, 16, toFormat(kSingle, kHalf)},
                    Conversion{"v_cvt_f32_f16", kHalf, 32, toFormat(kHalf, kSingle)},
                    Conversion{"v_cvt_f32_f64", kDouble, 32, toFormat(kDouble, kSingle)},
                    Conversion{"v_cvt_f64_f32", kSingle, 64, toFormat(kSingle, kDouble)}),
    conversionName);

TEST(HalfConversion, TiesAndNeighboursOfEveryHalfAreRoundedOnce) {
  // Single-precision values on, just below and just above the midpoint after a half.
  for (unsigned start : {0u, 0x3ffu, 0x3c00u, 0x7bc1u}) {
    Lanes lanes;
    for (unsigned lane = 0; lane < 64; ++lane) {
      const Quad low = decode(start + lane / 3, kHalf);
      const Quad high = start + lane / 3 + 1 >= kHalf.infinity()
                            ? Quad(65536)
                            : decode(start + lane / 3 + 1, kHalf);
      const uint64_t middle = encode({(low + high) / 2}, kSingle, Round::Nearest);
      lanes[lane] = static_cast<uint32_t>(middle + lane % 3 - 1);
    }
    Snippet snippet("v_cvt_f16_f32 v1, v0\nv_cvt_f16_f32 v2, -v0\n");
    snippet.vector(0, lanes).wantVectors(1, 2);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    for (unsigned lane = 0; lane < 64; ++lane) {
      const uint64_t want = encode({decode(lanes[lane], kSingle)}, kHalf, Round::Nearest);
      EXPECT_EQ(snippet.vectorOut(1)[lane], want) << std::hex << lanes[lane];
      EXPECT_EQ(snippet.vectorOut(2)[lane], want | 0x8000) << std::hex << lanes[lane];
    }
  }
}

TEST(PackedConversion, PairsRoundAsTheirNameSaysWhateverTheMode) {
  Lanes a;
  Lanes b;
  for (unsigned lane = 0; lane < 64; ++lane) {
    a[lane] = static_cast<uint32_t>(interestingBits(kSingle, lane));
    b[lane] = static_cast<uint32_t>(interestingBits(kSingle, lane + 1000));
  }
  Snippet snippet(setMode({Round::Up}) + "v_cvt_pkrtz_f16_f32 v2, v0, v1\n"
                                         "v_cvt_pknorm_i16_f32 v3, v0, v1\n"
                                         "v_cvt_pknorm_u16_f32 v4, v0, v1\n");
  snippet.vector(0, a).vector(1, b).wantVectors(2, 3);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  const auto pair = [&](auto convert, unsigned lane) {
    return static_cast<uint32_t>(convert(a[lane], Round::Zero) | convert(b[lane], Round::Zero)
                                                                     << 16);
  };
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(snippet.vectorOut(2)[lane], pair(toFormat(kSingle, kHalf), lane));
    EXPECT_EQ(snippet.vectorOut(3)[lane], pair(normalised<int16_t>(kSingle), lane));
    EXPECT_EQ(snippet.vectorOut(4)[lane], pair(normalised<uint16_t>(kSingle), lane));
  }
}

TEST(PackedConversion, IntegersSaturateAndHalvesAreSelected) {
  Snippet snippet("v_cvt_pk_u16_u32 v2, v0, v1\n"
                  "v_cvt_pk_i16_i32 v3, v0, v1\n"
                  "v_pack_b32_f16 v4, v0, v1 op_sel:[1,0,0]\n"
                  "v_pack_b32_f16 v5, -v0, |v1|\n");
  snippet.vector(0, 0x12345678).vector(1, 0xffff8001).wantVectors(2, 4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(2)[5], 0xffffffffu);
  EXPECT_EQ(snippet.vectorOut(3)[5], 0x80017fffu);
  EXPECT_EQ(snippet.vectorOut(4)[5], 0x80011234u);
  EXPECT_EQ(snippet.vectorOut(5)[5], 0x0001d678u);
}

TEST(PackedConversion, BytesAreInsertedSaturated) {
  Snippet snippet("v_cvt_pk_u8_f32 v4, v0, 2, v3\n"
                  "v_cvt_pk_u8_f32 v5, v1, 3, v3\n"
                  "v_cvt_pk_u8_f32 v6, -v0, 5, v3\n"
                  "v_cvt_pkaccum_u8_f32 v3, v0, 0\n");
  snippet.vector(0, 0x42f70000).vector(1, 0x44000000).vector(3, 0x11223344).wantVectors(3, 4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(4)[0], 0x117b3344u); // 123.5
  EXPECT_EQ(snippet.vectorOut(5)[0], 0xff223344u); // 512
  EXPECT_EQ(snippet.vectorOut(6)[0], 0x11220044u);
  EXPECT_EQ(snippet.vectorOut(3)[0], 0x1122337bu);
}

TEST(NibbleConversion, CountsSixteenthsFromMinusOneHalf) {
  Lanes lanes;
  for (unsigned lane = 0; lane < 64; ++lane) {
    lanes[lane] = lane | 0xabcdef00;
  }
  Snippet snippet("v_cvt_off_f32_i4 v1, v0");
  snippet.vector(0, lanes).wantVectors(1);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const int nibble = static_cast<int>(lane % 16) - (lane % 16 >= 8 ? 16 : 0);
    EXPECT_EQ(snippet.vectorOut(1)[lane], encode({Quad(nibble) / 16}, kSingle, Round::Nearest));
  }
}

} // namespace
} // namespace gpusim::test
