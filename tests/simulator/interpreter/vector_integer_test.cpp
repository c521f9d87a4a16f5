// Every integer lane operation against plain host arithmetic, under full, partial and empty EXEC.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <span>

#include <fmt/format.h>

#include "edge_values.h"

namespace gpusim::test {
namespace {

using Unsigned = uint32_t;
using Function = uint32_t (*)(uint32_t a, uint32_t b, uint32_t c);

/// The sources are v1 to v3; the operation and its operands come with a place for the destination.
struct Case {
  const char* text;
  Function expected;
};

int32_t s(uint32_t value) {
  return static_cast<int32_t>(value);
}
uint32_t u(int64_t value) {
  return static_cast<uint32_t>(value);
}
int32_t s24(uint32_t value) {
  return s(value << 8) >> 8;
}
uint32_t u24(uint32_t value) {
  return value & 0xffffff;
}
int16_t h(uint32_t value) {
  return static_cast<int16_t>(value);
}
uint16_t w(uint32_t value) {
  return static_cast<uint16_t>(value);
}

uint32_t field(uint32_t value, uint32_t offset, uint32_t width) {
  uint32_t result = 0;
  for (uint32_t bit = 0; bit < width % 32 && bit + offset % 32 < 32; ++bit) {
    result |= (value >> (bit + offset % 32) & 1) << bit;
  }
  return result;
}
uint32_t signedField(uint32_t value, uint32_t offset, uint32_t width) {
  const uint32_t low = offset % 32;
  const uint32_t count = std::min(width % 32, 32 - low);
  if (count == 0) {
    return 0;
  }
  const bool negative = (value >> (low + count - 1) & 1) != 0;
  return field(value, low, count) | (negative && count < 32 ? ~0u << count : 0);
}
uint32_t byteSum(uint32_t a, uint32_t b, bool masked) {
  uint32_t sum = 0;
  for (int shift = 0; shift < 32; shift += 8) {
    const int left = static_cast<int>(a >> shift & 0xff);
    const int right = static_cast<int>(b >> shift & 0xff);
    sum += masked && right == 0 ? 0 : static_cast<uint32_t>(std::abs(left - right));
  }
  return sum;
}
uint32_t permuted(uint32_t a, uint32_t b, uint32_t selectors) {
  const uint8_t bytes[8] = {uint8_t(b), uint8_t(b >> 8), uint8_t(b >> 16), uint8_t(b >> 24),
                            uint8_t(a), uint8_t(a >> 8), uint8_t(a >> 16), uint8_t(a >> 24)};
  uint32_t result = 0;
  for (int index = 0; index < 4; ++index) {
    const uint32_t selector = selectors >> 8 * index & 0xff;
    uint32_t byte = 0xff;
    if (selector < 8) {
      byte = bytes[selector];
    } else if (selector < 12) {
      byte = (bytes[2 * (selector - 8) + 1] & 0x80) != 0 ? 0xff : 0;
    } else if (selector == 12) {
      byte = 0;
    }
    result |= byte << 8 * index;
  }
  return result;
}
int64_t middle(int64_t a, int64_t b, int64_t c) {
  int64_t sorted[] = {a, b, c};
  std::sort(std::begin(sorted), std::end(sorted));
  return sorted[1];
}

const Case kCases[] = {
    {"v_add_u32 v{}, v1, v2", [](Unsigned a, Unsigned b, Unsigned) { return a + b; }},
    {"v_add_u32 v{}, v1, v2 clamp",
     [](Unsigned a, Unsigned b, Unsigned) { return u(std::min<int64_t>(int64_t{a} + b, UINT32_MAX)); }},
    {"v_sub_u32 v{}, v1, v2", [](Unsigned a, Unsigned b, Unsigned) { return a - b; }},
    {"v_sub_u32 v{}, v1, v2 clamp",
     [](Unsigned a, Unsigned b, Unsigned) { return u(std::max<int64_t>(int64_t{a} - b, 0)); }},
    {"v_subrev_u32 v{}, v1, v2", [](Unsigned a, Unsigned b, Unsigned) { return b - a; }},
    {"v_add_i32 v{}, v1, v2 clamp",
     [](Unsigned a, Unsigned b, Unsigned) {
       return u(std::clamp<int64_t>(int64_t{s(a)} + s(b), INT32_MIN, INT32_MAX));
     }},
    {"v_sub_i32 v{}, v1, v2 clamp",
     [](Unsigned a, Unsigned b, Unsigned) {
       return u(std::clamp<int64_t>(int64_t{s(a)} - s(b), INT32_MIN, INT32_MAX));
     }},
    {"v_and_b32 v{}, v1, v2", [](Unsigned a, Unsigned b, Unsigned) { return a & b; }},
    {"v_or_b32 v{}, v1, v2", [](Unsigned a, Unsigned b, Unsigned) { return a | b; }},
    {"v_xor_b32 v{}, v1, v2", [](Unsigned a, Unsigned b, Unsigned) { return a ^ b; }},
    {"v_xnor_b32 v{}, v1, v2", [](Unsigned a, Unsigned b, Unsigned) { return ~(a ^ b); }},
    {"v_not_b32 v{}, v1", [](Unsigned a, Unsigned, Unsigned) { return ~a; }},
    {"v_lshlrev_b32 v{}, v1, v2", [](Unsigned a, Unsigned b, Unsigned) { return b << a % 32; }},
    {"v_lshrrev_b32 v{}, v1, v2", [](Unsigned a, Unsigned b, Unsigned) { return b >> a % 32; }},
    {"v_ashrrev_i32 v{}, v1, v2", [](Unsigned a, Unsigned b, Unsigned) { return u(s(b) >> a % 32); }},
    // One count for all lanes.
    {"v_lshlrev_b32 v{}, 33, v2", [](Unsigned, Unsigned b, Unsigned) { return b << 1; }},
    {"v_lshrrev_b32 v{}, 31, v2", [](Unsigned, Unsigned b, Unsigned) { return b >> 31; }},
    {"v_ashrrev_i32 v{}, 63, v2", [](Unsigned, Unsigned b, Unsigned) { return u(s(b) >> 31); }},
    {"v_lshl_add_u32 v{}, v1, 34, v3",
     [](Unsigned a, Unsigned, Unsigned c) { return (a << 2) + c; }},
    {"v_add_lshl_u32 v{}, v1, v2, 31",
     [](Unsigned a, Unsigned b, Unsigned) { return (a + b) << 31; }},
    {"v_lshl_or_b32 v{}, v1, 16, v3",
     [](Unsigned a, Unsigned, Unsigned c) { return a << 16 | c; }},
    {"v_bfe_u32 v{}, v1, 37, 9", [](Unsigned a, Unsigned, Unsigned) { return field(a, 5, 9); }},
    {"v_bfe_u32 v{}, v1, 5, v2", [](Unsigned a, Unsigned b, Unsigned) { return field(a, 5, b); }},
    {"v_bfe_i32 v{}, v1, 28, 9",
     [](Unsigned a, Unsigned, Unsigned) { return signedField(a, 28, 9); }},
    {"v_bfe_i32 v{}, v1, 4, 12",
     [](Unsigned a, Unsigned, Unsigned) { return signedField(a, 4, 12); }},
    {"v_alignbit_b32 v{}, v1, v2, 40",
     [](Unsigned a, Unsigned b, Unsigned) { return a << 24 | b >> 8; }},
    {"v_alignbyte_b32 v{}, v1, v2, 5",
     [](Unsigned a, Unsigned b, Unsigned) { return a << 24 | b >> 8; }},
    {"v_min_u32 v{}, v1, v2", [](Unsigned a, Unsigned b, Unsigned) { return std::min(a, b); }},
    {"v_min_i32 v{}, v1, v2", [](Unsigned a, Unsigned b, Unsigned) { return u(std::min(s(a), s(b))); }},
    {"v_max_u32 v{}, v1, v2", [](Unsigned a, Unsigned b, Unsigned) { return std::max(a, b); }},
    {"v_max_i32 v{}, v1, v2", [](Unsigned a, Unsigned b, Unsigned) { return u(std::max(s(a), s(b))); }},
    {"v_min3_u32 v{}, v1, v2, v3", [](Unsigned a, Unsigned b, Unsigned c) { return std::min({a, b, c}); }},
    {"v_min3_i32 v{}, v1, v2, v3",
     [](Unsigned a, Unsigned b, Unsigned c) { return u(std::min({s(a), s(b), s(c)})); }},
    {"v_max3_u32 v{}, v1, v2, v3", [](Unsigned a, Unsigned b, Unsigned c) { return std::max({a, b, c}); }},
    {"v_max3_i32 v{}, v1, v2, v3",
     [](Unsigned a, Unsigned b, Unsigned c) { return u(std::max({s(a), s(b), s(c)})); }},
    {"v_med3_u32 v{}, v1, v2, v3", [](Unsigned a, Unsigned b, Unsigned c) { return u(middle(a, b, c)); }},
    {"v_med3_i32 v{}, v1, v2, v3",
     [](Unsigned a, Unsigned b, Unsigned c) { return u(middle(s(a), s(b), s(c))); }},
    {"v_mul_lo_u32 v{}, v1, v2", [](Unsigned a, Unsigned b, Unsigned) { return a * b; }},
    {"v_mul_hi_u32 v{}, v1, v2",
     [](Unsigned a, Unsigned b, Unsigned) { return u(static_cast<int64_t>(uint64_t{a} * b >> 32)); }},
    {"v_mul_hi_i32 v{}, v1, v2",
     [](Unsigned a, Unsigned b, Unsigned) { return u(int64_t{s(a)} * s(b) >> 32); }},
    {"v_mul_u32_u24 v{}, v1, v2", [](Unsigned a, Unsigned b, Unsigned) { return u24(a) * u24(b); }},
    {"v_mul_i32_i24 v{}, v1, v2",
     [](Unsigned a, Unsigned b, Unsigned) { return u(int64_t{s24(a)} * s24(b)); }},
    {"v_mul_hi_u32_u24 v{}, v1, v2",
     [](Unsigned a, Unsigned b, Unsigned) { return u(int64_t{u24(a)} * u24(b) >> 32); }},
    {"v_mul_hi_i32_i24 v{}, v1, v2",
     [](Unsigned a, Unsigned b, Unsigned) { return u(int64_t{s24(a)} * s24(b) >> 32); }},
    {"v_mad_u32_u24 v{}, v1, v2, v3",
     [](Unsigned a, Unsigned b, Unsigned c) { return u24(a) * u24(b) + c; }},
    {"v_mad_i32_i24 v{}, v1, v2, v3",
     [](Unsigned a, Unsigned b, Unsigned c) { return u(int64_t{s24(a)} * s24(b) + s(c)); }},
    {"v_add3_u32 v{}, v1, v2, v3", [](Unsigned a, Unsigned b, Unsigned c) { return a + b + c; }},
    {"v_lshl_add_u32 v{}, v1, v2, v3",
     [](Unsigned a, Unsigned b, Unsigned c) { return (a << b % 32) + c; }},
    {"v_add_lshl_u32 v{}, v1, v2, v3",
     [](Unsigned a, Unsigned b, Unsigned c) { return (a + b) << c % 32; }},
    {"v_lshl_or_b32 v{}, v1, v2, v3",
     [](Unsigned a, Unsigned b, Unsigned c) { return (a << b % 32) | c; }},
    {"v_and_or_b32 v{}, v1, v2, v3", [](Unsigned a, Unsigned b, Unsigned c) { return (a & b) | c; }},
    {"v_or3_b32 v{}, v1, v2, v3", [](Unsigned a, Unsigned b, Unsigned c) { return a | b | c; }},
    {"v_xad_u32 v{}, v1, v2, v3", [](Unsigned a, Unsigned b, Unsigned c) { return (a ^ b) + c; }},
    {"v_bfe_u32 v{}, v1, v2, v3", field},
    {"v_bfe_i32 v{}, v1, v2, v3", signedField},
    {"v_bfi_b32 v{}, v1, v2, v3", [](Unsigned a, Unsigned b, Unsigned c) { return (a & b) | (~a & c); }},
    {"v_bfm_b32 v{}, v1, v2",
     [](Unsigned a, Unsigned b, Unsigned) { return ((1u << a % 32) - 1) << b % 32; }},
    {"v_alignbit_b32 v{}, v1, v2, v3",
     [](Unsigned a, Unsigned b, Unsigned c) { return c % 32 == 0 ? b : a << (32 - c % 32) | b >> c % 32; }},
    {"v_alignbyte_b32 v{}, v1, v2, v3",
     [](Unsigned a, Unsigned b, Unsigned c) {
       return c % 4 == 0 ? b : a << (32 - 8 * (c % 4)) | b >> 8 * (c % 4);
     }},
    {"v_perm_b32 v{}, v1, v2, v3", permuted},
    {"v_bfrev_b32 v{}, v1",
     [](Unsigned a, Unsigned, Unsigned) {
       uint32_t result = 0;
       for (int bit = 0; bit < 32; ++bit) {
         result = result << 1 | (a >> bit & 1);
       }
       return result;
     }},
    {"v_ffbh_u32 v{}, v1",
     [](Unsigned a, Unsigned, Unsigned) { return a == 0 ? ~0u : u(std::countl_zero(a)); }},
    {"v_ffbl_b32 v{}, v1",
     [](Unsigned a, Unsigned, Unsigned) { return a == 0 ? ~0u : u(std::countr_zero(a)); }},
    {"v_ffbh_i32 v{}, v1",
     [](Unsigned a, Unsigned, Unsigned) {
       const int same = s(a) < 0 ? std::countl_one(a) : std::countl_zero(a);
       return same == 32 ? ~0u : u(same);
     }},
    {"v_bcnt_u32_b32 v{}, v1, v2",
     [](Unsigned a, Unsigned b, Unsigned) { return u(std::popcount(a)) + b; }},
    {"v_sad_u8 v{}, v1, v2, v3",
     [](Unsigned a, Unsigned b, Unsigned c) { return byteSum(a, b, false) + c; }},
    {"v_sad_hi_u8 v{}, v1, v2, v3",
     [](Unsigned a, Unsigned b, Unsigned c) { return (byteSum(a, b, false) << 16) + c; }},
    {"v_msad_u8 v{}, v1, v2, v3",
     [](Unsigned a, Unsigned b, Unsigned c) { return byteSum(a, b, true) + c; }},
    {"v_sad_u16 v{}, v1, v2, v3",
     [](Unsigned a, Unsigned b, Unsigned c) {
       return u(std::abs(int{w(a)} - w(b)) + std::abs(int{w(a >> 16)} - w(b >> 16))) + c;
     }},
    {"v_sad_u32 v{}, v1, v2, v3",
     [](Unsigned a, Unsigned b, Unsigned c) { return std::max(a, b) - std::min(a, b) + c; }},
    {"v_lerp_u8 v{}, v1, v2, v3",
     [](Unsigned a, Unsigned b, Unsigned c) {
       uint32_t result = 0;
       for (int shift = 0; shift < 32; shift += 8) {
         result |= ((a >> shift & 0xff) + (b >> shift & 0xff) + (c >> shift & 1)) / 2 << shift;
       }
       return result;
     }},
    {"v_add_u16 v{}, v1, v2", [](Unsigned a, Unsigned b, Unsigned) { return Unsigned{w(a + b)}; }},
    {"v_sub_u16 v{}, v1, v2", [](Unsigned a, Unsigned b, Unsigned) { return Unsigned{w(a - b)}; }},
    {"v_add_u16 v{}, v1, v2 clamp",
     [](Unsigned a, Unsigned b, Unsigned) { return std::min<uint32_t>(w(a) + w(b), 0xffff); }},
    {"v_mul_lo_u16 v{}, v1, v2", [](Unsigned a, Unsigned b, Unsigned) { return Unsigned{w(a * b)}; }},
    {"v_lshlrev_b16 v{}, v1, v2",
     [](Unsigned a, Unsigned b, Unsigned) { return Unsigned{w(b << a % 16)}; }},
    {"v_lshrrev_b16 v{}, v1, v2",
     [](Unsigned a, Unsigned b, Unsigned) { return u(w(b) >> a % 16); }},
    {"v_ashrrev_i16 v{}, v1, v2",
     [](Unsigned a, Unsigned b, Unsigned) { return Unsigned{w(u(h(b) >> a % 16))}; }},
    {"v_max_i16 v{}, v1, v2",
     [](Unsigned a, Unsigned b, Unsigned) { return Unsigned{w(u(std::max(h(a), h(b))))}; }},
    {"v_min_u16 v{}, v1, v2",
     [](Unsigned a, Unsigned b, Unsigned) { return Unsigned{std::min(w(a), w(b))}; }},
    {"v_mad_u32_u16 v{}, v1, v2, v3",
     [](Unsigned a, Unsigned b, Unsigned c) { return Unsigned{w(a)} * w(b) + c; }},
    {"v_mad_i32_i16 v{}, v1, v2, v3 op_sel:[1,0,0,0]",
     [](Unsigned a, Unsigned b, Unsigned c) { return u(int64_t{h(a >> 16)} * h(b) + s(c)); }},
    {"v_cndmask_b32 v{}, v1, v2, vcc",
     [](Unsigned, Unsigned b, Unsigned) { return b; }},
    {"v_mov_b32 v{}, 64", [](Unsigned, Unsigned, Unsigned) { return 64u; }},
    {"v_mov_b32 v{}, -16", [](Unsigned, Unsigned, Unsigned) { return 0xfffffff0u; }},
    {"v_mov_b32 v{}, 1.0", [](Unsigned, Unsigned, Unsigned) { return 0x3f800000u; }},
    {"v_add_u32 v{}, 0xcafe1234, v1", [](Unsigned a, Unsigned, Unsigned) { return a + 0xcafe1234u; }},
    {"v_add_u32 v{}, s2, v1", [](Unsigned a, Unsigned, Unsigned) { return a + 0x1234567u; }},
    {"v_accvgpr_write_b32 a5, v1\nv_accvgpr_read_b32 v{}, a5",
     [](Unsigned a, Unsigned, Unsigned) { return a; }},
};

constexpr unsigned kFirst = 4;
constexpr unsigned kBatch = 27;
constexpr uint32_t kUntouched = 0x5a5a5a5a;

void checkBatch(std::span<const Case> cases, uint64_t mask, unsigned salt) {
  std::string text = "s_mov_b64 vcc, -1\n";
  for (size_t index = 0; index < cases.size(); ++index) {
    std::string line = cases[index].text;
    line.replace(line.find("{}"), 2, std::to_string(kFirst + index));
    text += line + "\n";
  }
  Snippet snippet(text);
  const Lanes a = edgeLanes(salt);
  const Lanes b = edgeLanes(salt + 1);
  const Lanes c = edgeLanes(salt + 2);
  snippet.vector(1, a).vector(2, b).vector(3, c).scalar(2, 0x1234567).exec(mask);
  for (size_t index = 0; index < cases.size(); ++index) {
    snippet.vector(kFirst + static_cast<unsigned>(index), kUntouched);
  }
  snippet.wantVectors(kFirst, static_cast<unsigned>(cases.size()));
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (size_t index = 0; index < cases.size(); ++index) {
    const Lanes& result = snippet.vectorOut(kFirst + static_cast<unsigned>(index));
    for (unsigned lane = 0; lane < 64; ++lane) {
      const bool active = (mask >> lane & 1) != 0;
      const uint32_t expected =
          active ? cases[index].expected(a[lane], b[lane], c[lane]) : kUntouched;
      ASSERT_EQ(result[lane], expected)
          << cases[index].text
          << fmt::format(" lane {} a {:#x} b {:#x} c {:#x}", lane, a[lane], b[lane], c[lane]);
    }
  }
}

TEST(VectorIntegerOperations, MatchHostArithmeticOnEdgesUnderEveryMask) {
  unsigned salt = 0;
  for (const uint64_t mask : kMasks) {
    for (size_t first = 0; first < std::size(kCases); first += kBatch) {
      const size_t count = std::min<size_t>(kBatch, std::size(kCases) - first);
      checkBatch(std::span(kCases).subspan(first, count), mask, salt++);
    }
  }
}

uint64_t wide(const Lanes& low, const Lanes& high, unsigned lane) {
  return low[lane] | static_cast<uint64_t>(high[lane]) << 32;
}

TEST(VectorWideOperations, ShiftsUseSixBitsOfTheCount) {
  Snippet snippet("v_lshlrev_b64 v[4:5], v1, v[2:3]\nv_lshrrev_b64 v[6:7], v1, v[2:3]\n"
                  "v_ashrrev_i64 v[8:9], v1, v[2:3]\nv_lshlrev_b64 v[10:11], 4, v[2:3]\n"
                  "v_lshrrev_b64 v[12:13], 33, v[2:3]\nv_ashrrev_i64 v[14:15], 63, v[2:3]\n"
                  "v_lshlrev_b64 v[16:17], 64, v[2:3]\n");
  const Lanes count = edgeLanes(70);
  const Lanes low = edgeLanes(71);
  const Lanes high = edgeLanes(72);
  snippet.vector(1, count).vector(2, low).vector(3, high).wantVectors(4, 14);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const uint64_t value = wide(low, high, lane);
    const unsigned by = count[lane] % 64;
    const auto result = [&](unsigned index) {
      return wide(snippet.vectorOut(index), snippet.vectorOut(index + 1), lane);
    };
    EXPECT_EQ(result(4), value << by) << lane;
    EXPECT_EQ(result(6), value >> by) << lane;
    EXPECT_EQ(result(8), static_cast<uint64_t>(static_cast<int64_t>(value) >> by)) << lane;
    EXPECT_EQ(result(10), value << 4) << lane;
    EXPECT_EQ(result(12), value >> 33) << lane;
    EXPECT_EQ(result(14), static_cast<uint64_t>(static_cast<int64_t>(value) >> 63)) << lane;
    EXPECT_EQ(result(16), value) << "a count of 64 is a count of 0";
  }
}

TEST(VectorCarry, ChainsThroughMasksAndClearsInactiveLanes) {
  constexpr uint64_t kMask = 0xfedcba9876543210;
  Snippet snippet("v_add_co_u32 v4, vcc, v1, v2\nv_addc_co_u32 v5, s[4:5], v1, v3, vcc\n"
                  "s_mov_b64 s[8:9], vcc\n"
                  "v_sub_co_u32 v6, s[6:7], v1, v2\nv_subb_co_u32 v7, vcc, v3, v1, s[6:7]\n");
  const Lanes a = edgeLanes(80);
  const Lanes b = edgeLanes(81);
  const Lanes c = edgeLanes(82);
  snippet.vector(1, a).vector(2, b).vector(3, c).exec(kMask).wantVectors(4, 4).wantScalars(4, 6);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  uint64_t carry = 0;
  uint64_t carry2 = 0;
  uint64_t borrow = 0;
  uint64_t borrow2 = 0;
  for (unsigned lane = 0; lane < 64; ++lane) {
    if ((kMask >> lane & 1) == 0) {
      continue;
    }
    const uint64_t sum = uint64_t{a[lane]} + b[lane];
    const uint64_t sum2 = uint64_t{a[lane]} + c[lane] + (sum >> 32);
    const bool less = a[lane] < b[lane];
    const bool less2 = uint64_t{c[lane]} < uint64_t{a[lane]} + less;
    carry |= (sum >> 32) << lane;
    carry2 |= (sum2 >> 32) << lane;
    borrow |= uint64_t{less} << lane;
    borrow2 |= uint64_t{less2} << lane;
    EXPECT_EQ(snippet.vectorOut(4)[lane], static_cast<uint32_t>(sum)) << lane;
    EXPECT_EQ(snippet.vectorOut(5)[lane], static_cast<uint32_t>(sum2)) << lane;
    EXPECT_EQ(snippet.vectorOut(6)[lane], a[lane] - b[lane]) << lane;
    EXPECT_EQ(snippet.vectorOut(7)[lane], c[lane] - a[lane] - less) << lane;
  }
  EXPECT_EQ(snippet.scalarPairOut(8), carry);
  EXPECT_EQ(snippet.scalarPairOut(4), carry2);
  EXPECT_EQ(snippet.scalarPairOut(6), borrow);
  EXPECT_EQ(snippet.vccOut(), borrow2);
}

TEST(VectorCarry, WideMultiplyAddReportsItsCarry) {
  Snippet snippet("v_mad_u64_u32 v[4:5], s[4:5], v1, v2, v[2:3]\n"
                  "v_mad_i64_i32 v[6:7], vcc, v1, v2, v[2:3]\n");
  const Lanes a = edgeLanes(90);
  const Lanes b = edgeLanes(91);
  const Lanes c = edgeLanes(92);
  snippet.vector(1, a).vector(2, b).vector(3, c).wantVectors(4, 4).wantScalars(4, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  uint64_t carry = 0;
  for (unsigned lane = 0; lane < 64; ++lane) {
    __extension__ using Wider = unsigned __int128;
    const uint64_t addend = wide(b, c, lane);
    const Wider sum = static_cast<Wider>(a[lane]) * b[lane] + addend;
    carry |= static_cast<uint64_t>(sum >> 64) << lane;
    EXPECT_EQ(wide(snippet.vectorOut(4), snippet.vectorOut(5), lane), static_cast<uint64_t>(sum));
    EXPECT_EQ(wide(snippet.vectorOut(6), snippet.vectorOut(7), lane),
              static_cast<uint64_t>(int64_t{s(a[lane])} * s(b[lane])) + addend);
  }
  EXPECT_EQ(snippet.scalarPairOut(4), carry);
}

TEST(VectorCompare, SetsOnlyActiveLanesAndReplacesExec) {
  constexpr uint64_t kMask = 0x00ff00ff00ff00ff;
  Snippet snippet("v_cmp_lt_i32 s[4:5], v1, v2\nv_cmp_lt_u32 s[6:7], v1, v2\n"
                  "v_cmp_ge_i64 s[8:9], v[2:3], v[4:5]\nv_cmp_eq_u16 s[10:11], v1, v2\n"
                  "v_cmp_t_u32 s[12:13], v1, v2\nv_cmpx_ne_u32 vcc, v1, v2\n");
  const Lanes a = edgeLanes(100);
  const Lanes b = edgeLanes(101);
  snippet.vector(1, a).vector(2, b).vector(3, a).vector(4, a).vector(5, b).exec(kMask);
  snippet.wantScalars(4, 10);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  uint64_t expected[5] = {};
  for (unsigned lane = 0; lane < 64; ++lane) {
    const auto left = static_cast<int64_t>(wide(b, a, lane));
    const auto right = static_cast<int64_t>(wide(a, b, lane));
    const bool results[5] = {s(a[lane]) < s(b[lane]), a[lane] < b[lane], left >= right,
                             w(a[lane]) == w(b[lane]), a[lane] != b[lane]};
    for (unsigned index = 0; index < 5; ++index) {
      expected[index] |= uint64_t{results[index]} << lane & kMask;
    }
  }
  for (unsigned index = 0; index < 4; ++index) {
    EXPECT_EQ(snippet.scalarPairOut(4 + 2 * index), expected[index]) << index;
  }
  EXPECT_EQ(snippet.scalarPairOut(12), kMask);
  EXPECT_EQ(snippet.vccOut(), expected[4]);
  EXPECT_EQ(snippet.execOut(), expected[4]);
}

TEST(VectorHalf, OpSelWritesOneHalfAndKeepsTheOther) {
  Snippet snippet("v_mad_u16 v4, v1, v2, v3 op_sel:[1,0,1,1]\nv_mad_u16 v5, v1, v2, v3\n");
  const Lanes a = edgeLanes(110);
  snippet.vector(1, a).vector(2, a).vector(3, a).vector(4, 0x12345678).vector(5, 0x12345678);
  snippet.wantVectors(4, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const uint32_t high = w(a[lane] >> 16);
    EXPECT_EQ(snippet.vectorOut(4)[lane], uint32_t{w(high * w(a[lane]) + high)} << 16 | 0x5678u);
    EXPECT_EQ(snippet.vectorOut(5)[lane],
              0x12340000u | w(uint32_t{w(a[lane])} * w(a[lane]) + w(a[lane])));
  }
}

TEST(LaneAccess, ReadAndWriteLanesIgnoreExec) {
  Lanes lanes = edgeLanes(120);
  Snippet snippet("v_readlane_b32 s4, v1, 63\ns_mov_b32 s6, 5\nv_readlane_b32 s5, v1, s6\n"
                  "v_writelane_b32 v2, s4, 7\nv_readfirstlane_b32 s7, v1\n");
  snippet.vector(1, lanes).vector(2, kUntouched).exec(uint64_t{1} << 20);
  snippet.wantScalars(4, 4).wantVectors(2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.scalarOut(4), lanes[63]);
  EXPECT_EQ(snippet.scalarOut(5), lanes[5]);
  EXPECT_EQ(snippet.scalarOut(7), lanes[20]);
  EXPECT_EQ(snippet.vectorOut(2)[7], lanes[63]);
  EXPECT_EQ(snippet.vectorOut(2)[8], kUntouched);
}

TEST(LaneAccess, IndexedRegistersFollowM0) {
  Snippet snippet("s_set_gpr_idx_on s2, gpr_idx(SRC0)\nv_mov_b32 v8, v1\ns_set_gpr_idx_off\n"
                  "s_set_gpr_idx_on s3, gpr_idx(DST)\nv_mov_b32 v9, v1\ns_set_gpr_idx_off\n");
  snippet.vector(1, 11).vector(2, 22).vector(3, 33).vector(11, 0).scalar(2, 2).scalar(3, 2);
  snippet.wantVectors(8).wantVectors(11);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(8)[5], 33u);
  EXPECT_EQ(snippet.vectorOut(11)[5], 11u);
}

} // namespace
} // namespace gpusim::test
