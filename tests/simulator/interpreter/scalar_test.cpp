// Scalar arithmetic and control flow against host arithmetic.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <span>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "snippet.h"

namespace gpusim::test {
namespace {

TEST(ScalarAlu, AddWithCarryPropagatesIntoTheUpperHalf) {
  Snippet snippet("s_add_u32 s4, s0, s2\ns_addc_u32 s5, s1, s3");
  snippet.scalar(0, 0xffffffff).scalar(1, 7).scalar(2, 1).scalar(3, 5).wantScalars(4, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.scalarPairOut(4), 0xd00000000u);
  EXPECT_EQ(snippet.sccOut(), 0u);
}

/// s0 and s1 (as pairs s[0:1], s[2:3] for 64 bits) in, s[4:5] and SCC out.
struct Case {
  const char* text;
  uint64_t (*expected)(uint64_t a, uint64_t b);
  int (*scc)(uint64_t a, uint64_t b, uint64_t result); ///< null: SCC keeps its value of 1
};

int32_t s(uint64_t value) {
  return static_cast<int32_t>(value);
}
uint32_t u(uint64_t value) {
  return static_cast<uint32_t>(value);
}
int nonZero(uint64_t, uint64_t, uint64_t result) {
  return result != 0;
}

template <class T>
T field(T value, uint32_t spec) {
  constexpr uint32_t kBits = 8 * sizeof(T);
  const uint32_t offset = spec % kBits;
  const uint32_t width = std::min(spec >> 16 & 0x7f, kBits - offset);
  using Bits = std::make_unsigned_t<T>;
  Bits result = 0;
  for (uint32_t bit = 0; bit < kBits && width != 0; ++bit) {
    const uint32_t from = std::is_signed_v<T> ? std::min(bit, width - 1) : bit;
    const bool set = from < width && (static_cast<Bits>(value) >> (offset + from) & 1) != 0;
    result |= static_cast<Bits>(set) << bit;
  }
  return static_cast<T>(result);
}

const Case kNarrow[] = {
    {"s_mov_b32 s4, s0", [](uint64_t a, uint64_t) { return a; }, nullptr},
    {"s_and_b32 s4, s0, s2", [](uint64_t a, uint64_t b) { return a & b; }, nonZero},
    {"s_or_b32 s4, s0, s2", [](uint64_t a, uint64_t b) { return a | b; }, nonZero},
    {"s_xor_b32 s4, s0, s2", [](uint64_t a, uint64_t b) { return a ^ b; }, nonZero},
    {"s_andn2_b32 s4, s0, s2", [](uint64_t a, uint64_t b) { return a & ~b; }, nonZero},
    {"s_orn2_b32 s4, s0, s2", [](uint64_t a, uint64_t b) -> uint64_t { return u(a | ~b); },
     nonZero},
    {"s_nor_b32 s4, s0, s2", [](uint64_t a, uint64_t b) -> uint64_t { return u(~(a | b)); },
     nonZero},
    {"s_not_b32 s4, s0", [](uint64_t a, uint64_t) -> uint64_t { return u(~a); }, nonZero},
    {"s_add_i32 s4, s0, s2", [](uint64_t a, uint64_t b) -> uint64_t { return u(a + b); },
     [](uint64_t a, uint64_t b, uint64_t r) { return int{int64_t{s(a)} + s(b) != s(r)}; }},
    {"s_sub_i32 s4, s0, s2", [](uint64_t a, uint64_t b) -> uint64_t { return u(a - b); },
     [](uint64_t a, uint64_t b, uint64_t r) { return int{int64_t{s(a)} - s(b) != s(r)}; }},
    {"s_sub_u32 s4, s0, s2", [](uint64_t a, uint64_t b) -> uint64_t { return u(a - b); },
     [](uint64_t a, uint64_t b, uint64_t) { return int{a < b}; }},
    {"s_subb_u32 s4, s0, s2", [](uint64_t a, uint64_t b) -> uint64_t { return u(a - b - 1); },
     [](uint64_t a, uint64_t b, uint64_t) { return int{a < b + 1}; }},
    {"s_min_i32 s4, s0, s2",
     [](uint64_t a, uint64_t b) -> uint64_t { return u(std::min(s(a), s(b))); },
     [](uint64_t a, uint64_t b, uint64_t) { return int{s(a) < s(b)}; }},
    {"s_max_u32 s4, s0, s2", [](uint64_t a, uint64_t b) { return std::max(a, b); },
     [](uint64_t a, uint64_t b, uint64_t) { return int{a >= b}; }},
    {"s_mul_i32 s4, s0, s2", [](uint64_t a, uint64_t b) -> uint64_t { return u(a * b); }, nullptr},
    {"s_mul_hi_u32 s4, s0, s2", [](uint64_t a, uint64_t b) { return a * b >> 32; }, nullptr},
    {"s_mul_hi_i32 s4, s0, s2",
     [](uint64_t a, uint64_t b) -> uint64_t {
       return u(static_cast<uint64_t>(int64_t{s(a)} * s(b) >> 32));
     },
     nullptr},
    {"s_lshl_b32 s4, s0, s2", [](uint64_t a, uint64_t b) -> uint64_t { return u(a << b % 32); },
     nonZero},
    {"s_lshr_b32 s4, s0, s2", [](uint64_t a, uint64_t b) { return a >> b % 32; }, nonZero},
    {"s_ashr_i32 s4, s0, s2", [](uint64_t a, uint64_t b) -> uint64_t { return u(s(a) >> b % 32); },
     nonZero},
    {"s_lshl2_add_u32 s4, s0, s2",
     [](uint64_t a, uint64_t b) -> uint64_t { return u((a << 2) + b); },
     [](uint64_t a, uint64_t b, uint64_t) { return int{(a << 2) + b > UINT32_MAX}; }},
    {"s_bfe_u32 s4, s0, s2",
     [](uint64_t a, uint64_t b) -> uint64_t { return field<uint32_t>(u(a), u(b)); }, nonZero},
    {"s_bfe_i32 s4, s0, s2",
     [](uint64_t a, uint64_t b) -> uint64_t { return u(field<int32_t>(s(a), u(b))); }, nonZero},
    {"s_bfm_b32 s4, s0, s2",
     [](uint64_t a, uint64_t b) -> uint64_t { return u(((1u << a % 32) - 1) << b % 32); }, nullptr},
    {"s_brev_b32 s4, s0",
     [](uint64_t a, uint64_t) {
       uint64_t result = 0;
       for (int bit = 0; bit < 32; ++bit) {
         result = result << 1 | (a >> bit & 1);
       }
       return result;
     },
     nullptr},
    {"s_bcnt1_i32_b32 s4, s0", [](uint64_t a, uint64_t) -> uint64_t { return u(std::popcount(a)); },
     nonZero},
    {"s_bcnt0_i32_b32 s4, s0",
     [](uint64_t a, uint64_t) -> uint64_t { return u(32 - std::popcount(a)); }, nonZero},
    {"s_ff1_i32_b32 s4, s0",
     [](uint64_t a, uint64_t) -> uint64_t { return a == 0 ? UINT32_MAX : u(std::countr_zero(a)); },
     nullptr},
    {"s_flbit_i32_b32 s4, s0",
     [](uint64_t a, uint64_t) -> uint64_t {
       return a == 0 ? UINT32_MAX : u(std::countl_zero(u(a)));
     },
     nullptr},
    {"s_flbit_i32 s4, s0",
     [](uint64_t a, uint64_t) -> uint64_t {
       const int same = s(a) < 0 ? std::countl_one(u(a)) : std::countl_zero(u(a));
       return same == 32 ? UINT32_MAX : u(same);
     },
     nullptr},
    {"s_sext_i32_i8 s4, s0",
     [](uint64_t a, uint64_t) -> uint64_t { return u(static_cast<int8_t>(a)); }, nullptr},
    {"s_sext_i32_i16 s4, s0",
     [](uint64_t a, uint64_t) -> uint64_t { return u(static_cast<int16_t>(a)); }, nullptr},
    {"s_abs_i32 s4, s0", [](uint64_t a, uint64_t) -> uint64_t { return u(s(a) < 0 ? 0 - a : a); },
     nonZero},
    {"s_absdiff_i32 s4, s0, s2",
     [](uint64_t a, uint64_t b) -> uint64_t { return u(s(a) < s(b) ? b - a : a - b); }, nonZero},
    {"s_cselect_b32 s4, s0, s2", [](uint64_t a, uint64_t) { return a; }, nullptr},
    {"s_pack_lh_b32_b16 s4, s0, s2",
     [](uint64_t a, uint64_t b) -> uint64_t { return (a & 0xffff) | (b & 0xffff0000); }, nullptr},
    {"s_movk_i32 s4, 0x8001", [](uint64_t, uint64_t) -> uint64_t { return 0xffff8001; }, nullptr},
    {"s_mov_b32 s4, s0\ns_addk_i32 s4, 0xfff0",
     [](uint64_t a, uint64_t) -> uint64_t { return u(a - 16); },
     [](uint64_t a, uint64_t, uint64_t) { return int{int64_t{s(a)} - 16 < INT32_MIN}; }},
    {"s_mov_b32 s4, s0\ns_mulk_i32 s4, 0xffff",
     [](uint64_t a, uint64_t) -> uint64_t { return u(0 - a); }, nullptr},
    {"s_mov_b32 s4, s0\ns_bitset1_b32 s4, s2",
     [](uint64_t a, uint64_t b) -> uint64_t { return a | 1u << b % 32; }, nullptr},
    {"s_mov_b32 s4, s0\ns_bitset0_b32 s4, s2",
     [](uint64_t a, uint64_t b) -> uint64_t { return a & ~(uint64_t{1} << b % 32); }, nullptr},
};

const Case kWide[] = {
    {"s_mov_b64 s[4:5], s[0:1]", [](uint64_t a, uint64_t) { return a; }, nullptr},
    {"s_mov_b64 s[4:5], 0xfedcba98", [](uint64_t, uint64_t) -> uint64_t { return 0xfedcba98; },
     nullptr},
    {"s_mov_b64 s[4:5], -3", [](uint64_t, uint64_t) { return ~uint64_t{2}; }, nullptr},
    {"s_mov_b64 s[4:5], 1.0", [](uint64_t, uint64_t) { return std::bit_cast<uint64_t>(1.0); },
     nullptr},
    {"s_and_b64 s[4:5], s[0:1], s[2:3]", [](uint64_t a, uint64_t b) { return a & b; }, nonZero},
    {"s_orn2_b64 s[4:5], s[0:1], s[2:3]", [](uint64_t a, uint64_t b) { return a | ~b; }, nonZero},
    {"s_nand_b64 s[4:5], s[0:1], s[2:3]", [](uint64_t a, uint64_t b) { return ~(a & b); }, nonZero},
    {"s_xnor_b64 s[4:5], s[0:1], s[2:3]", [](uint64_t a, uint64_t b) { return ~(a ^ b); }, nonZero},
    {"s_not_b64 s[4:5], s[0:1]", [](uint64_t a, uint64_t) { return ~a; }, nonZero},
    {"s_lshl_b64 s[4:5], s[0:1], s2", [](uint64_t a, uint64_t b) { return a << b % 64; }, nonZero},
    {"s_lshr_b64 s[4:5], s[0:1], s2", [](uint64_t a, uint64_t b) { return a >> b % 64; }, nonZero},
    {"s_ashr_i64 s[4:5], s[0:1], s2",
     [](uint64_t a, uint64_t b) {
       return static_cast<uint64_t>(static_cast<int64_t>(a) >> b % 64);
     },
     nonZero},
    {"s_bfe_u64 s[4:5], s[0:1], s2",
     [](uint64_t a, uint64_t b) { return field<uint64_t>(a, u(b)); }, nonZero},
    {"s_bfe_i64 s[4:5], s[0:1], s2",
     [](uint64_t a, uint64_t b) {
       return static_cast<uint64_t>(field<int64_t>(static_cast<int64_t>(a), u(b)));
     },
     nonZero},
    {"s_bfm_b64 s[4:5], s0, s2",
     [](uint64_t a, uint64_t b) { return ((uint64_t{1} << a % 64) - 1) << b % 64; }, nullptr},
    {"s_cselect_b64 s[4:5], s[0:1], s[2:3]", [](uint64_t a, uint64_t) { return a; }, nullptr},
    {"s_mov_b32 s5, 0\ns_bcnt1_i32_b64 s4, s[0:1]",
     [](uint64_t a, uint64_t) -> uint64_t { return u(std::popcount(a)); }, nonZero},
    {"s_mov_b32 s5, 0\ns_ff1_i32_b64 s4, s[0:1]",
     [](uint64_t a, uint64_t) -> uint64_t { return a == 0 ? UINT32_MAX : u(std::countr_zero(a)); },
     nullptr},
    {"s_mov_b32 s5, 0\ns_flbit_i32_b64 s4, s[0:1]",
     [](uint64_t a, uint64_t) -> uint64_t { return a == 0 ? UINT32_MAX : u(std::countl_zero(a)); },
     nullptr},
    {"s_bitreplicate_b64_b32 s[4:5], s0",
     [](uint64_t a, uint64_t) {
       uint64_t result = 0;
       for (int bit = 63; bit >= 0; --bit) {
         result = result << 1 | (a >> bit / 2 & 1);
       }
       return result;
     },
     nullptr},
};

using Pair = std::array<uint64_t, 2>;

/// An operation on a pair of values; its results go to one lane of v4, v5 (s[4:5]) and v6 (SCC).
struct Trial {
  const Case* test;
  Pair values;
};

std::string trialText(const Trial& trial, size_t lane) {
  const auto [a, b] = trial.values;
  std::string text;
  const uint64_t words[] = {a & 0xffffffff, a >> 32, b & 0xffffffff, b >> 32, 0, 0};
  for (size_t index = 0; index < std::size(words); ++index) {
    text += fmt::format("s_mov_b32 s{}, {:#x}\n", index, words[index]);
  }
  text += fmt::format("s_cmp_eq_u32 s0, s0\n{}\ns_cselect_b32 s6, 1, 0\n", trial.test->text);
  for (unsigned index = 4; index < 7; ++index) {
    text += fmt::format("v_writelane_b32 v{0}, s{0}, {1}\n", index, lane);
  }
  return text;
}

/// Runs up to 64 trials in one snippet, because starting the assembler is what costs time.
void runTrials(std::span<const Trial> trials, uint64_t mask) {
  std::string text;
  for (size_t lane = 0; lane < trials.size(); ++lane) {
    text += trialText(trials[lane], lane);
  }
  Snippet snippet(text);
  snippet.wantVectors(4, 3);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (size_t lane = 0; lane < trials.size(); ++lane) {
    const Case& test = *trials[lane].test;
    const uint64_t a = trials[lane].values[0] & mask;
    const uint64_t b = trials[lane].values[1] & mask;
    const uint64_t result = snippet.vectorOut(4)[lane] | uint64_t{snippet.vectorOut(5)[lane]} << 32;
    const uint64_t expected = test.expected(a, b) & mask;
    const int scc = test.scc == nullptr ? 1 : test.scc(a, b, expected);
    EXPECT_EQ(result & mask, expected) << test.text << ' ' << a << ' ' << b;
    EXPECT_EQ(static_cast<int>(snippet.vectorOut(6)[lane]), scc)
        << test.text << ' ' << a << ' ' << b;
  }
}

void check(std::span<const Case> cases, std::span<const Pair> pairs, uint64_t mask) {
  std::vector<Trial> trials;
  for (const Case& test : cases) {
    for (const Pair& pair : pairs) {
      trials.push_back({&test, pair});
    }
  }
  for (size_t first = 0; first < trials.size(); first += 64) {
    const size_t count = std::min<size_t>(64, trials.size() - first);
    runTrials(std::span(trials).subspan(first, count), mask);
  }
}

constexpr Pair kNarrowPairs[] = {{0, 0},
                                 {0xffffffff, 1},
                                 {0x80000000, 0x80000000},
                                 {0x7fffffff, 0x001f0003},
                                 {0x89abcdef, 0x00080014},
                                 {16, 0xfffffff0}};
constexpr Pair kWidePairs[] = {{0, 0},
                               {~uint64_t{0}, 63},
                               {0x8000000000000000, 0x00200020},
                               {0x123456789abcdef0, 0x007f0004},
                               {0x80000001, 0x00080038}};

TEST(ScalarAlu, NarrowOperationsAndSccMatchHostArithmetic) {
  check(kNarrow, kNarrowPairs, 0xffffffff);
}
TEST(ScalarAlu, WideOperationsAndSccMatchHostArithmetic) {
  check(kWide, kWidePairs, ~uint64_t{0});
}

TEST(ScalarCompare, SignedUnsignedAndImmediateFormsDiffer) {
  struct Comparison {
    const char* text;
    bool expected;
  };
  const Comparison kComparisons[] = {
      {"s_cmp_lt_i32 s0, s2", true},          {"s_cmp_lt_u32 s0, s2", false},
      {"s_cmp_ge_u32 s0, s2", true},          {"s_cmp_lg_u32 s0, s2", true},
      {"s_cmpk_eq_i32 s0, 0xffff", true},     {"s_cmpk_eq_u32 s0, 0xffff", false},
      {"s_cmpk_gt_u32 s0, 0xffff", true},     {"s_cmpk_lt_i32 s0, 0", true},
      {"s_cmp_eq_u64 s[0:1], s[2:3]", false}, {"s_cmp_lg_u64 s[0:1], s[0:1]", false},
      {"s_bitcmp1_b32 s0, 33", true},         {"s_bitcmp0_b32 s2, 0", false}};
  for (const Comparison& comparison : kComparisons) {
    Snippet snippet(comparison.text);
    snippet.scalar(0, 0xffffffff).scalar(1, 0).scalar(2, 1).scalar(3, 0);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    EXPECT_EQ(snippet.sccOut() != 0, comparison.expected) << comparison.text;
  }
}

TEST(ScalarAlu, SaveExecCombinesOldMaskAndSource) {
  Snippet snippet("s_andn2_saveexec_b64 s[4:5], s[0:1]");
  snippet.scalar(0, 0xffff0000).scalar(1, 0xf).exec(0x8000000812345678).wantScalars(4, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.scalarPairOut(4), 0x8000000812345678u);
  EXPECT_EQ(snippet.execOut(), 0xfffff0000u & ~0x8000000812345678u);
}

TEST(Control, ModeIsReadAndWrittenByFields) {
  Snippet snippet("s_getreg_b32 s4, hwreg(HW_REG_MODE, 4, 4)\n"
                  "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 1\n"
                  "s_getreg_b32 s5, hwreg(HW_REG_MODE, 4, 4)\n");
  snippet.wantScalars(4, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.scalarOut(4), 15u);
  EXPECT_EQ(snippet.scalarOut(5), 13u);
}

TEST(Control, UnmodelledHardwareRegisterIsRefused) {
  Snippet snippet("s_getreg_b32 s4, hwreg(HW_REG_GPR_ALLOC)");
  ASSERT_FALSE(snippet.run());
  EXPECT_EQ(snippet.fault().kind, Fault::Kind::Unsupported);
}

TEST(Control, UnmodelledModifierIsRefusedNotIgnored) {
  for (const char* text :
       {"buffer_load_dword off, s[0:3], 0 lds", "v_mad_u32_u24 v1, v2, v3, v4 clamp",
        "v_add_co_u32_e64 v1, vcc, v2, v3 clamp"}) {
    Snippet snippet(text);
    ASSERT_FALSE(snippet.run()) << text;
    EXPECT_EQ(snippet.fault().kind, Fault::Kind::Unsupported) << snippet.fault().message;
    EXPECT_NE(snippet.fault().message.find("not modelled"), std::string::npos)
        << snippet.fault().message;
  }
}

TEST(Control, TimeDoesNotGoBackwards) {
  Snippet snippet(
      "s_memtime s[4:5]\ns_memrealtime s[8:9]\ns_memtime s[6:7]\ns_memrealtime s[10:11]");
  snippet.wantScalars(4, 8);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_GE(snippet.scalarPairOut(6), snippet.scalarPairOut(4));
  EXPECT_GE(snippet.scalarPairOut(10), snippet.scalarPairOut(8));
  EXPECT_NE(snippet.scalarPairOut(4), 0u);
}

TEST(Control, LoopRunsItsTripCount) {
  Snippet snippet("s_mov_b32 s4, 0\n"
                  "loop:\n"
                  "s_add_u32 s4, s4, 3\n"
                  "s_sub_u32 s0, s0, 1\n"
                  "s_cmp_lg_u32 s0, 0\n"
                  "s_cbranch_scc1 loop\n");
  snippet.scalar(0, 1000).wantScalars(4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.scalarOut(4), 3000u);
}

TEST(Control, RefusedInstructionIsNamedWithItsAddress) {
  Snippet snippet("v_log_legacy_f32 v0, v1");
  ASSERT_FALSE(snippet.run());
  EXPECT_EQ(snippet.fault().kind, Fault::Kind::Unsupported);
  EXPECT_NE(snippet.fault().message.find("v_log_legacy_f32"), std::string::npos)
      << snippet.fault().message;
  EXPECT_NE(snippet.fault().message.find("pc 0x7f0000000"), std::string::npos)
      << snippet.fault().message;
}

TEST(Control, BytesThatAreNoInstructionAreIllegal) {
  Snippet snippet(".long 0xffffffff");
  ASSERT_FALSE(snippet.run());
  EXPECT_EQ(snippet.fault().kind, Fault::Kind::IllegalInstruction) << snippet.fault().message;
}

TEST(VectorInteger, OnlyLanesInExecAreWritten) {
  Lanes first;
  for (unsigned lane = 0; lane < 64; ++lane) {
    first[lane] = lane * 0x01010101u;
  }
  constexpr uint64_t kMask = 0x8000000100f00001;
  Snippet snippet("v_add_u32 v2, v1, 5");
  snippet.vector(1, first).vector(2, 0xabcdef01).exec(kMask).wantVectors(2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const bool active = (kMask >> lane & 1) != 0;
    EXPECT_EQ(snippet.vectorOut(2)[lane], active ? first[lane] + 5 : 0xabcdef01u) << lane;
  }
}

} // namespace
} // namespace gpusim::test
