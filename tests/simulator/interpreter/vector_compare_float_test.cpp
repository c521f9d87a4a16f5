// Comparisons and classes of floating-point lanes against the order of exact numbers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "float_reference.h"
#include "snippet.h"

namespace gpusim::test {
namespace {

constexpr uint64_t kSomeLanes = 0x8000f0f1123400c1;
constexpr const char* kConditions[] = {"f", "lt",  "eq",  "le",  "gt",  "lg",  "ge",  "o",
                                       "u", "nge", "nlg", "ngt", "nle", "neq", "nlt", "tru"};

struct Type {
  const char* name;
  FloatFormat format;
};
constexpr Type kTypes[] = {{"f16", kHalf}, {"f32", kSingle}, {"f64", kDouble}};

using LaneBits = std::array<uint64_t, 64>;

/// Every pair of neighbours is compared in both orders, and each value with itself.
LaneBits interestingLanes(const FloatFormat& format, unsigned seed) {
  LaneBits lanes;
  for (unsigned lane = 0; lane < 64; ++lane) {
    lanes[lane] = interestingBits(format, seed + lane);
  }
  return lanes;
}

void load(Snippet& snippet, unsigned index, const LaneBits& bits) {
  Lanes low;
  Lanes high;
  for (unsigned lane = 0; lane < 64; ++lane) {
    low[lane] = static_cast<uint32_t>(bits[lane]);
    high[lane] = static_cast<uint32_t>(bits[lane] >> 32);
  }
  snippet.vector(index, low).vector(index + 1, high);
}

bool holds(const std::string& condition, uint64_t a, uint64_t b, const FloatFormat& format) {
  const bool unordered = format.isNan(a) || format.isNan(b);
  const Quad x = decode(a, format);
  const Quad y = decode(b, format);
  if (condition == "f" || condition == "tru") {
    return condition == "tru";
  }
  if (condition == "o" || condition == "u") {
    return unordered == (condition == "u");
  }
  if (condition[0] == 'n') { // the negation of the rest holds for NaNs
    const std::string rest = condition == "neq" ? "eq" : condition.substr(1);
    return !holds(rest, a, b, format);
  }
  return !unordered && (condition == "lt"   ? x < y
                        : condition == "le" ? x <= y
                        : condition == "gt" ? x > y
                        : condition == "ge" ? x >= y
                        : condition == "eq" ? x == y
                                            : x != y);
}

uint64_t expectedMask(const std::string& condition, const LaneBits& a, const LaneBits& b,
                      const Type& type, const FloatMode& mode) {
  uint64_t mask = 0;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const bool holdsHere = holds(condition, flush(a[lane], type.format, mode),
                                 flush(b[lane], type.format, mode), type.format);
    mask |= static_cast<uint64_t>(holdsHere) << lane;
  }
  return mask;
}

/// One source is used as it is and one with its sign cleared and set.
void checkConditions(const Type& type, const FloatMode& mode, uint64_t exec, unsigned seed) {
  const LaneBits a = interestingLanes(type.format, seed);
  LaneBits b = interestingLanes(type.format, seed + 33);
  for (unsigned lane = 0; lane < 64; lane += 3) {
    b[lane] = a[lane] ^ (lane % 2 == 0 ? 0 : type.format.sign());
  }
  std::string text = setMode(mode);
  for (unsigned index = 0; index < std::size(kConditions); ++index) {
    text +=
        fmt::format("v_cmp_{}_{} s[{}:{}], {}, -|{}|\n", kConditions[index], type.name, 2 * index,
                    2 * index + 1, registerText(0, type.format), registerText(2, type.format));
  }
  Snippet snippet(text);
  load(snippet, 0, a);
  load(snippet, 2, b);
  snippet.exec(exec).wantScalars(0, 32);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (uint64_t& bits : b) {
    bits |= type.format.sign();
  }
  for (unsigned index = 0; index < std::size(kConditions); ++index) {
    EXPECT_EQ(snippet.scalarPairOut(2 * index),
              expectedMask(kConditions[index], a, b, type, mode) & exec)
        << kConditions[index] << "_" << type.name << " exec " << std::hex << exec;
  }
}

TEST(FloatCompare, EveryConditionHoldsForItsRelationsAlone) {
  unsigned seed = 0;
  for (const Type& type : kTypes) {
    for (const uint64_t exec : {~uint64_t{0}, kSomeLanes, uint64_t{0}, uint64_t{1} << 63}) {
      checkConditions(type, {}, exec, seed += 100);
    }
  }
}

TEST(FloatCompare, DenormalsEqualZeroWhereTheModeFlushesThem) {
  for (const Type& type : kTypes) {
    checkConditions(type, {Round::Nearest, false}, ~uint64_t{0}, 4);
  }
}

TEST(FloatCompare, ShortFormWritesVccAndExecutionFormReplacesExec) {
  for (const Type& type : kTypes) {
    const LaneBits a = interestingLanes(type.format, 5);
    const LaneBits b = interestingLanes(type.format, 50);
    Snippet snippet(fmt::format("v_cmp_ge_{0} vcc, {1}, {2}\n"
                                "v_cmpx_nlt_{0} s[4:5], {1}, {2}\n",
                                type.name, registerText(0, type.format),
                                registerText(2, type.format)));
    load(snippet, 0, a);
    load(snippet, 2, b);
    snippet.exec(kSomeLanes).wantScalars(4, 2);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    EXPECT_EQ(snippet.vccOut(), expectedMask("ge", a, b, type, {}) & kSomeLanes) << type.name;
    const uint64_t remaining = expectedMask("nlt", a, b, type, {}) & kSomeLanes;
    EXPECT_EQ(snippet.scalarPairOut(4), remaining) << type.name;
    EXPECT_EQ(snippet.execOut(), remaining) << type.name;
  }
}

unsigned classBit(uint64_t bits, const FloatFormat& format) {
  if (format.isNan(bits)) {
    return format.isSignalling(bits) ? 0 : 1;
  }
  const bool negative = (bits & format.sign()) != 0;
  const uint64_t magnitude = bits & ~format.sign();
  const unsigned distance = magnitude == format.infinity()  ? 0
                            : magnitude > format.fraction() ? 1
                            : magnitude != 0                ? 2
                                                            : 3;
  return negative ? 2 + distance : 9 - distance;
}

TEST(FloatClass, EachBitSelectsItsClassEvenWhereDenormalsAreFlushed) {
  for (const Type& type : kTypes) {
    const LaneBits values = interestingLanes(type.format, 400);
    std::string text = setMode({Round::Nearest, false});
    for (unsigned bit = 0; bit < 10; ++bit) {
      text += fmt::format("s_mov_b32 s40, {:#x}\nv_cmp_class_{} s[{}:{}], {}, s40\n", 1u << bit,
                          type.name, 2 * bit, 2 * bit + 1, registerText(0, type.format));
    }
    Snippet snippet(text);
    load(snippet, 0, values);
    snippet.exec(kSomeLanes).wantScalars(0, 20);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    for (unsigned bit = 0; bit < 10; ++bit) {
      uint64_t expected = 0;
      for (unsigned lane = 0; lane < 64; ++lane) {
        expected |= static_cast<uint64_t>(classBit(values[lane], type.format) == bit) << lane;
      }
      EXPECT_EQ(snippet.scalarPairOut(2 * bit), expected & kSomeLanes)
          << type.name << " class bit " << bit;
    }
  }
}

} // namespace
} // namespace gpusim::test
