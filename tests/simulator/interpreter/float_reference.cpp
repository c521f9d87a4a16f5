#include "float_reference.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "snippet.h"

namespace gpusim::test {

namespace {

Quad powerOfTwo(int exponent) {
  Quad result = 1;
  const Quad factor = exponent < 0 ? Quad(0.5) : Quad(2);
  for (int step = exponent < 0 ? -exponent : exponent; step != 0; --step) {
    result *= factor;
  }
  return result;
}

bool isNegative(Quad value) {
  return __builtin_signbit(static_cast<double>(value)) != 0; // a narrowing keeps the sign
}

bool roundsAway(Round round, bool negative, bool odd, Quad rest) {
  switch (round) {
  case Round::Nearest:
    return rest > Quad(0.5) || (rest == Quad(0.5) && odd);
  case Round::Up:
    return !negative && rest != 0;
  case Round::Down:
    return negative && rest != 0;
  case Round::Zero:
    break;
  }
  return false;
}

/// Bits that depend on all of `value`, the same on every host.
uint64_t mixed(uint64_t value) {
  for (unsigned round = 0; round < 3; ++round) {
    value = (value + 0x632be59bd9b4e019u) * 0xd6e8feb86659fd93u;
    value ^= value >> 29;
  }
  return value;
}

uint64_t overflow(const FloatFormat& format, Round round, bool negative) {
  const bool infinite = round == Round::Nearest || round == (negative ? Round::Down : Round::Up);
  return infinite ? format.infinity() : format.infinity() - 1;
}

} // namespace

Quad decode(uint64_t bits, const FloatFormat& format) {
  const bool negative = (bits & format.sign()) != 0;
  const auto exponent = static_cast<int>((bits & format.infinity()) >> format.mantissa);
  const uint64_t fraction = bits & format.fraction();
  Quad value = 0;
  if ((bits & format.infinity()) == format.infinity()) {
    value = fraction != 0 ? Quad(__builtin_nan("")) : Quad(__builtin_inf());
  } else {
    const uint64_t whole = exponent == 0 ? fraction : fraction | (format.fraction() + 1);
    value = Quad(whole) * powerOfTwo((exponent == 0 ? 1 : exponent) - format.bias() -
                                     static_cast<int>(format.mantissa));
  }
  return negative ? -value : value;
}

uint64_t encode(ExactNumber number, const FloatFormat& format, Round round) {
  const bool negative = isNegative(number.value);
  const uint64_t sign = negative ? format.sign() : 0;
  const Quad magnitude = negative ? -number.value : number.value;
  const Quad error = negative ? -number.error : number.error;
  if (magnitude != magnitude) {
    return format.defaultNan();
  }
  if (magnitude - magnitude != 0) {
    return sign | format.infinity();
  }
  const int lowest = 1 - format.bias();
  int exponent = lowest;
  Quad power = powerOfTwo(lowest);
  while (exponent <= format.bias() && magnitude >= power * 2) {
    power *= 2;
    ++exponent;
  }
  if (magnitude == power && error < 0 && exponent > lowest) {
    --exponent; // just below a power of two the last place is finer
  }
  if (exponent > format.bias()) {
    return sign | overflow(format, round, negative);
  }
  const Quad units = magnitude * powerOfTwo(static_cast<int>(format.mantissa) - exponent);
  auto whole = static_cast<uint64_t>(units);
  Quad rest = units - Quad(whole);
  if (rest == 0 && error < 0) {
    --whole;
    rest = Quad(0.75);
  } else if (error != 0 && (rest == 0 || rest == Quad(0.5))) {
    rest += error > 0 ? Quad(0.25) : Quad(-0.25);
  }
  whole += roundsAway(round, negative, (whole & 1) != 0, rest) ? 1 : 0;
  // The leading one of a normal number adds one to the exponent field; so does a carry.
  const uint64_t bits = (static_cast<uint64_t>(exponent - lowest) << format.mantissa) + whole;
  return sign | (bits >= format.infinity() ? overflow(format, round, negative) : bits);
}

ExactNumber exactSum(Quad a, Quad b, Round round) {
  const Quad sum = a + b;
  if (sum == 0 && isNegative(a) != isNegative(b)) {
    return {round == Round::Down ? -Quad(0) : Quad(0)};
  }
  if (!(sum - sum == 0)) {
    return {sum};
  }
  const Quad part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

uint64_t flush(uint64_t bits, const FloatFormat& format, const FloatMode& mode) {
  return !mode.denormals && format.isDenormal(bits) ? bits & format.sign() : bits;
}

Reference rounded(unsigned sources,
                  std::function<ExactNumber(const std::array<Quad, 3>&, Round)> exact) {
  return [=](const Sources& bits, const FloatFormat& format, const FloatMode& mode) {
    std::array<Quad, 3> values{};
    for (unsigned index = 0; index < sources; ++index) {
      if (format.isNan(bits[index])) {
        return bits[index] | format.quiet();
      }
      values[index] = decode(bits[index], format);
    }
    return encode(exact(values, mode.round), format, mode.round);
  };
}

uint64_t interestingBits(const FloatFormat& format, unsigned seed) {
  const uint64_t noise = mixed(seed);
  const uint64_t choice = mixed(seed + 0x80000000u);
  const uint64_t one = static_cast<uint64_t>(format.bias()) << format.mantissa;
  const uint64_t step = format.fraction() + 1;
  const uint64_t corners[] = {
      0,
      1,
      format.fraction(),
      step,
      step + 1,
      one,
      one + 1,
      one - 1,
      one - step,
      one + step / 2,
      one + step + step / 4,
      one + format.mantissa * step,
      one + (format.mantissa - 1) * step + 1,
      format.infinity() - 1,
      format.infinity(),
      format.defaultNan() ^ format.sign() ^ 5,
      format.infinity() | 3,
  };
  const uint64_t sign = (choice & 4) != 0 ? format.sign() : 0;
  switch (choice & 3) {
  case 0:
    return noise & (format.sign() | (format.sign() - 1));
  case 1: // near one, so that sums cancel and products stay finite
    return sign | (one - 2 * step + choice / 8 % 5 * step + (noise & format.fraction()));
  default:
    return corners[choice / 8 % std::size(corners)] | sign;
  }
}

std::string setMode(const FloatMode& mode) {
  const auto round = static_cast<unsigned>(mode.round);
  const unsigned denormals = mode.denormals ? 3 : 0;
  return fmt::format("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), {}\n"
                     "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 8, 2), {}\n",
                     round | round << 2 | denormals << 4 | denormals << 6,
                     (mode.dx10Clamp ? 1 : 0) | (mode.ieee ? 2 : 0));
}

std::string registerText(unsigned first, const FloatFormat& format) {
  return format.bits == 64 ? fmt::format("v[{}:{}]", first, first + 1) : fmt::format("v{}", first);
}

namespace {

enum class Variant { Plain, Signs, Clamp };
constexpr Variant kVariants[] = {Variant::Plain, Variant::Signs, Variant::Clamp};
constexpr unsigned kSourceRegister = 0;
constexpr unsigned kResultRegister = 10;

uint64_t withSigns(uint64_t bits, unsigned source, const FloatFormat& format) {
  return source == 0   ? bits ^ format.sign()
         : source == 1 ? bits & ~format.sign()
                       : bits | format.sign();
}

std::string sourceText(unsigned source, Variant variant, const FloatFormat& format) {
  const std::string name = registerText(kSourceRegister + 2 * source, format);
  if (variant != Variant::Signs) {
    return name;
  }
  return source == 0 ? "-" + name : source == 1 ? "|" + name + "|" : "-|" + name + "|";
}

uint64_t clamped(uint64_t bits, const FloatFormat& format, const FloatMode& mode) {
  if (format.isNan(bits)) {
    return mode.dx10Clamp ? 0 : bits;
  }
  const Quad value = decode(bits, format);
  return value < 0 ? 0 : value > 1 ? encode({1}, format, Round::Nearest) : bits;
}

class FloatRun {
public:
  FloatRun(const FloatCase& test, const FloatMode& mode, uint64_t exec, unsigned seed)
      : test_(test), mode_(mode), exec_(exec), snippet_(text()) {
    for (unsigned source = 0; source < test.sources; ++source) {
      for (unsigned lane = 0; lane < 64; ++lane) {
        sources_[source][lane] =
            interestingBits(test.format, seed + 64 * 7 * source + lane * (2 * source + 1));
      }
      load(kSourceRegister + 2 * source, sources_[source]);
    }
    for (const Variant variant : kVariants) {
      load(result(variant), test.accumulates ? sources_[test.sources - 1] : kOld());
    }
    snippet_.exec(exec).wantVectors(kResultRegister, 6);
  }

  void check() {
    ASSERT_TRUE(snippet_.run()) << test_.mnemonic << ": " << snippet_.fault().message;
    for (const Variant variant : kVariants) {
      for (unsigned lane = 0; lane < 64; ++lane) {
        if (variant == Variant::Plain || test_.signs) {
          checkLane(variant, lane);
        }
      }
    }
  }

private:
  using LaneBits = std::array<uint64_t, 64>;

  static const LaneBits& kOld() {
    static const LaneBits old = [] {
      LaneBits lanes;
      lanes.fill(0x7654321089abcdefu);
      return lanes;
    }();
    return old;
  }
  static unsigned result(Variant variant) {
    return kResultRegister + 2 * static_cast<unsigned>(variant);
  }

  std::string text() const {
    std::string lines = setMode(mode_);
    for (const Variant variant : kVariants) {
      if (variant != Variant::Plain && !test_.signs) {
        continue;
      }
      lines += test_.mnemonic + " " + registerText(result(variant), test_.format);
      for (unsigned source = 0; source < test_.sources - (test_.accumulates ? 1 : 0); ++source) {
        lines += ", " + sourceText(source, variant, test_.format);
      }
      lines += variant == Variant::Clamp ? " clamp\n" : "\n";
    }
    return lines;
  }

  void load(unsigned index, const LaneBits& bits) {
    Lanes low;
    Lanes high;
    for (unsigned lane = 0; lane < 64; ++lane) {
      low[lane] = static_cast<uint32_t>(bits[lane]);
      high[lane] = static_cast<uint32_t>(bits[lane] >> 32);
    }
    snippet_.vector(index, low).vector(index + 1, high);
  }

  uint64_t stored(unsigned index, unsigned lane) const {
    const uint64_t low = snippet_.vectorOut(index)[lane];
    return test_.format.bits == 64
               ? low | static_cast<uint64_t>(snippet_.vectorOut(index + 1)[lane]) << 32
               : low;
  }

  uint64_t expected(Variant variant, unsigned lane) const {
    const FloatFormat& format = test_.format;
    FloatMode mode = mode_;
    mode.denormals = mode.denormals && !test_.alwaysFlushes;
    Sources sources{};
    for (unsigned source = 0; source < test_.sources; ++source) {
      sources[source] = sources_[source][lane];
      const bool inText = !test_.accumulates || source + 1 < test_.sources;
      if (variant == Variant::Signs && inText) {
        sources[source] = withSigns(sources[source], source, format);
      }
      sources[source] = flush(sources[source], format, mode);
    }
    const uint64_t plain = flush(test_.reference(sources, format, mode), format, mode);
    return variant == Variant::Clamp ? clamped(plain, format, mode) : plain;
  }

  void checkLane(Variant variant, unsigned lane) {
    const bool active = (exec_ >> lane & 1) != 0;
    const LaneBits& before = test_.accumulates ? sources_[test_.sources - 1] : kOld();
    const uint64_t width = test_.format.bits == 64 ? ~uint64_t{0} : 0xffffffff;
    const uint64_t want = active ? expected(variant, lane) : before[lane] & width;
    EXPECT_EQ(stored(result(variant), lane), want) << fmt::format(
        "{} variant {} lane {} sources {:#x} {:#x} {:#x} rounding {} denormals {} IEEE {}: got "
        "{:#x}, want {:#x}",
        test_.mnemonic, static_cast<int>(variant), lane, sources_[0][lane], sources_[1][lane],
        sources_[2][lane], static_cast<int>(mode_.round), mode_.denormals, mode_.ieee,
        stored(result(variant), lane), want);
  }

  const FloatCase& test_;
  FloatMode mode_;
  uint64_t exec_;
  Snippet snippet_;
  std::array<LaneBits, 3> sources_{};
};

} // namespace

void checkFloatCase(const FloatCase& test) {
  const struct {
    FloatMode mode;
    uint64_t exec;
  } runs[] = {
      {{}, ~uint64_t{0}},
      {{Round::Up}, ~uint64_t{0}},
      {{Round::Down}, 0x8000f0f1123400c1},
      {{Round::Zero, true, false, false}, ~uint64_t{0}},
      {{Round::Nearest, false}, ~uint64_t{0}},
      {{Round::Nearest, true, false, true}, uint64_t{1} << 63},
  };
  unsigned seed = 0;
  for (const auto& run : runs) {
    FloatRun(test, run.mode, run.exec, seed += 1000).check();
  }
}

} // namespace gpusim::test
