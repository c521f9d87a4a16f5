// SDWA and DPP: selection, movement and merging against a host model that knows only the fields.
#include <bit>
#include <functional>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "snippet.h"

namespace gpusim::test {
namespace {

constexpr uint64_t kAllLanes = ~uint64_t{0};
constexpr uint64_t kSomeLanes = 0x8000f0f1123400c1;
constexpr uint32_t kOld = 0xdeadbeef;

constexpr const char* kParts[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3",
                                  "WORD_0", "WORD_1", "DWORD"};
constexpr unsigned kShifts[] = {0, 8, 16, 24, 0, 16, 0};
constexpr unsigned kWidths[] = {8, 8, 8, 8, 16, 16, 32};

Lanes randomLanes(uint32_t seed) {
  std::mt19937 random(seed);
  Lanes lanes;
  for (uint32_t& lane : lanes) {
    lane = static_cast<uint32_t>(random());
  }
  return lanes;
}

uint32_t partOf(uint32_t word, unsigned part, bool extend) {
  const uint64_t limit = uint64_t{1} << kWidths[part];
  uint64_t value = (word >> kShifts[part]) % limit;
  if (extend && value >= limit / 2) {
    value -= limit;
  }
  return static_cast<uint32_t>(value);
}

bool isActive(uint64_t mask, unsigned lane) {
  return (mask >> lane & 1) != 0;
}

TEST(SubDword, EverySourcePartIsSelectedAndSignExtended) {
  for (const bool extend : {false, true}) {
    std::string text;
    for (unsigned part = 0; part < 7; ++part) {
      text += fmt::format("v_mov_b32_sdwa v{}, {} dst_sel:DWORD dst_unused:UNUSED_PAD "
                          "src0_sel:{}\n",
                          2 + part, extend ? "sext(v1)" : "v1", kParts[part]);
    }
    const Lanes in = randomLanes(1);
    Snippet snippet(text);
    snippet.vector(1, in).wantVectors(2, 7);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    for (unsigned part = 0; part < 7; ++part) {
      for (unsigned lane = 0; lane < 64; ++lane) {
        EXPECT_EQ(snippet.vectorOut(2 + part)[lane], partOf(in[lane], part, extend))
            << kParts[part] << " lane " << lane;
      }
    }
  }
}

TEST(SubDword, SourcesAreSelectedApartAndScalarsToo) {
  const Lanes first = randomLanes(2);
  const Lanes second = randomLanes(3);
  Snippet snippet("v_sub_u32_sdwa v3, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2 "
                  "src1_sel:WORD_1\n"
                  "v_xor_b32_sdwa v4, s4, sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD "
                  "src0_sel:BYTE_3 src1_sel:BYTE_1\n");
  snippet.vector(1, first).vector(2, second).scalar(4, 0xa1b2c3d4).wantVectors(3, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(snippet.vectorOut(3)[lane],
              partOf(first[lane], 2, false) - partOf(second[lane], 5, false));
    EXPECT_EQ(snippet.vectorOut(4)[lane], 0xa1u ^ partOf(second[lane], 1, true));
  }
}

uint32_t merged(uint32_t old, uint32_t result, unsigned part, const std::string& unused) {
  if (part == 6) {
    return result;
  }
  const uint32_t selected = static_cast<uint32_t>((uint64_t{1} << kWidths[part]) - 1)
                            << kShifts[part];
  if (unused == "UNUSED_PRESERVE") {
    return (old & ~selected) | (result << kShifts[part] & selected);
  }
  if (unused == "UNUSED_PAD") {
    return result << kShifts[part] & selected;
  }
  const bool isNegative = (result >> (kWidths[part] - 1) & 1) != 0;
  const uint32_t above = ~selected & ~((1u << kShifts[part]) - 1);
  return (result << kShifts[part] & selected) | (isNegative ? above : 0);
}

TEST(SubDword, ResultIsMergedAsTheDestinationSaysAndOnlyInActiveLanes) {
  for (const std::string unused : {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"}) {
    std::string text;
    for (unsigned part = 0; part < 7; ++part) {
      text += fmt::format("v_add_u32_sdwa v{}, v1, v2 dst_sel:{} dst_unused:{} src0_sel:DWORD "
                          "src1_sel:DWORD\n",
                          3 + part, kParts[part], unused);
    }
    const Lanes first = randomLanes(4);
    const Lanes second = randomLanes(5);
    Snippet snippet(text);
    snippet.vector(1, first).vector(2, second).exec(kSomeLanes).wantVectors(3, 7);
    for (unsigned part = 0; part < 7; ++part) {
      snippet.vector(3 + part, kOld);
    }
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    for (unsigned part = 0; part < 7; ++part) {
      for (unsigned lane = 0; lane < 64; ++lane) {
        const uint32_t want = isActive(kSomeLanes, lane)
                                  ? merged(kOld, first[lane] + second[lane], part, unused)
                                  : kOld;
        EXPECT_EQ(snippet.vectorOut(3 + part)[lane], want)
            << unused << ' ' << kParts[part] << " lane " << lane;
      }
    }
  }
}

TEST(SubDword, DestinationThatIsAlsoASourceIsReadBeforeItIsWritten) {
  const Lanes in = randomLanes(6);
  Snippet snippet("v_xor_b32_sdwa v1, v1, v1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE "
                  "src0_sel:WORD_0 src1_sel:WORD_1");
  snippet.vector(1, in).wantVectors(1);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const uint32_t low = in[lane] & 0xffff;
    EXPECT_EQ(snippet.vectorOut(1)[lane], low | (low ^ in[lane] >> 16) << 16);
  }
}

TEST(SubDword, SignsOfFloatsApplyToTheSelectedPart) {
  Snippet snippet("v_add_f16_sdwa v2, -v0, |v1| dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE "
                  "src0_sel:WORD_1 src1_sel:WORD_0\n"
                  "v_mul_f32_sdwa v3, -|v4|, v4 dst_sel:DWORD dst_unused:UNUSED_PAD "
                  "src0_sel:DWORD src1_sel:DWORD\n"
                  "v_add_f32_sdwa v5, v4, v4 clamp dst_sel:DWORD dst_unused:UNUSED_PAD "
                  "src0_sel:DWORD src1_sel:DWORD\n");
  snippet.vector(0, 0x40001234).vector(1, 0x5678c400).vector(2, kOld); // 2 and -4
  snippet.vector(4, 0xc0400000).wantVectors(2, 4);                     // -3
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(2)[11], 0x4000beefu); // -2 + 4
  EXPECT_EQ(snippet.vectorOut(3)[11], 0x41100000u); // -3 * -3
  EXPECT_EQ(snippet.vectorOut(5)[11], 0u);
}

TEST(SubDword, ComparisonsWriteTheirMask) {
  const Lanes first = randomLanes(10);
  const Lanes second = randomLanes(11);
  Snippet snippet("v_cmp_lt_u32_sdwa s[4:5], v1, v2 src0_sel:BYTE_0 src1_sel:BYTE_3\n"
                  "v_cmp_gt_i32_sdwa vcc, sext(v1), sext(v2) src0_sel:WORD_1 src1_sel:BYTE_2\n");
  snippet.vector(1, first).vector(2, second).exec(kSomeLanes).wantScalars(4, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  uint64_t less = 0;
  uint64_t greater = 0;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const auto wide = static_cast<int32_t>(partOf(first[lane], 5, true));
    const auto narrow = static_cast<int32_t>(partOf(second[lane], 2, true));
    less |= static_cast<uint64_t>((first[lane] & 0xff) < second[lane] >> 24) << lane;
    greater |= static_cast<uint64_t>(wide > narrow) << lane;
  }
  EXPECT_EQ(snippet.scalarPairOut(4), less & kSomeLanes);
  EXPECT_EQ(snippet.vccOut(), greater & kSomeLanes);
}

TEST(SubDword, CarriesAreThoseOfTheSelectedParts) {
  Lanes first = randomLanes(12);
  first[0] = 0xffffffff;
  const Lanes second = randomLanes(13);
  Snippet snippet("s_mov_b64 vcc, 0x5555\n"
                  "v_addc_co_u32_sdwa v3, vcc, v1, v2, vcc dst_sel:DWORD dst_unused:UNUSED_PAD "
                  "src0_sel:DWORD src1_sel:WORD_1\n");
  snippet.vector(1, first).vector(2, second).wantVectors(3);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const uint64_t sum =
        uint64_t{first[lane]} + (second[lane] >> 16) + (0x5555u >> lane % 32 & (lane < 16));
    EXPECT_EQ(snippet.vectorOut(3)[lane], static_cast<uint32_t>(sum)) << lane;
    EXPECT_EQ(snippet.vccOut() >> lane & 1, sum >> 32) << lane;
  }
}

/// What a lane reads, or -1; written from the description of each control, row by row.
struct Movement {
  const char* text;
  std::function<int(int row, int position)> source; ///< rows of 16 lanes
};

int within(int row, int position) {
  return position >= 0 && position <= 15 ? 16 * row + position : -1;
}

const Movement kMovements[] = {
    {"quad_perm:[3,1,0,2]",
     [](int row, int at) {
       constexpr int kOrder[] = {3, 1, 0, 2};
       return 16 * row + at / 4 * 4 + kOrder[at % 4];
     }},
    {"row_shl:1", [](int row, int at) { return within(row, at + 1); }},
    {"row_shl:15", [](int row, int at) { return within(row, at + 15); }},
    {"row_shr:1", [](int row, int at) { return within(row, at - 1); }},
    {"row_shr:8", [](int row, int at) { return within(row, at - 8); }},
    {"row_ror:3", [](int row, int at) { return 16 * row + (at + 13) % 16; }},
    {"wave_shl:1", [](int row, int at) { return 16 * row + at == 63 ? -1 : 16 * row + at + 1; }},
    {"wave_rol:1", [](int row, int at) { return (16 * row + at + 1) % 64; }},
    {"wave_shr:1", [](int row, int at) { return 16 * row + at - 1; }},
    {"wave_ror:1", [](int row, int at) { return (16 * row + at + 63) % 64; }},
    {"row_mirror", [](int row, int at) { return 16 * row + 15 - at; }},
    {"row_half_mirror", [](int row, int at) { return 16 * row + (at < 8 ? 7 - at : 23 - at); }},
    {"row_bcast:15", [](int row, int) { return row == 0 ? -1 : 16 * row - 1; }},
    {"row_bcast:31", [](int row, int) { return row < 2 ? -1 : 31; }},
    {"row_newbcast:5", [](int row, int) { return 16 * row + 5; }},
};

void expectMovement(const Movement& movement, uint64_t exec, unsigned rows, unsigned banks,
                    bool bound) {
  const Lanes in = randomLanes(7);
  const Lanes other = randomLanes(8);
  Snippet snippet(fmt::format("v_sub_u32_dpp v2, v1, v3 {} row_mask:{:#x} bank_mask:{:#x}{}",
                              movement.text, rows, banks, bound ? " bound_ctrl:0" : ""));
  snippet.vector(1, in).vector(2, kOld).vector(3, other).exec(exec).wantVectors(2);
  ASSERT_TRUE(snippet.run()) << movement.text << ": " << snippet.fault().message;
  for (int lane = 0; lane < 64; ++lane) {
    const int row = lane / 16;
    const int from = movement.source(row, lane % 16);
    const bool isValid = from >= 0 && isActive(exec, static_cast<unsigned>(from));
    const bool isWritten = isActive(exec, static_cast<unsigned>(lane)) && (rows >> row & 1) != 0 &&
                           (banks >> lane % 16 / 4 & 1) != 0 && (isValid || bound);
    const uint32_t moved = isValid ? in[static_cast<size_t>(from)] : 0;
    const auto index = static_cast<size_t>(lane);
    EXPECT_EQ(snippet.vectorOut(2)[index], isWritten ? moved - other[index] : kOld)
        << movement.text << " lane " << lane;
  }
  EXPECT_EQ(snippet.execOut(), exec);
}

TEST(DataParallel, EveryMovementReadsItsLane) {
  for (const Movement& movement : kMovements) {
    expectMovement(movement, kAllLanes, 0xf, 0xf, false);
    expectMovement(movement, kAllLanes, 0xf, 0xf, true);
  }
}

TEST(DataParallel, RowAndBankMasksAndDisabledLanesKeepTheDestination) {
  for (const Movement& movement : kMovements) {
    expectMovement(movement, kSomeLanes, 0xa, 0x5, false);
    expectMovement(movement, kSomeLanes, 0x6, 0xc, true);
  }
  expectMovement(kMovements[0], 0, 0xf, 0xf, true);
  expectMovement(kMovements[3], uint64_t{1} << 17, 0xf, 0xf, false);
}

TEST(DataParallel, DestinationThatIsAlsoTheSourceIsReadBeforeItIsWritten) {
  const Lanes in = randomLanes(9);
  Snippet snippet("v_mov_b32_dpp v1, v1 row_ror:1 row_mask:0xf bank_mask:0xf");
  snippet.vector(1, in).wantVectors(1);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(snippet.vectorOut(1)[lane], in[lane / 16 * 16 + (lane + 15) % 16]);
  }
}

TEST(DataParallel, AccumulatingOperationsKeepWhatIsNotMoved) {
  Lanes moved;
  Lanes sums;
  for (unsigned lane = 0; lane < 64; ++lane) {
    moved[lane] = std::bit_cast<uint32_t>(static_cast<float>(lane));
    sums[lane] = std::bit_cast<uint32_t>(1000.0f);
  }
  Snippet snippet("v_fmac_f32_dpp v2, -v1, v3 row_shl:4 row_mask:0xf bank_mask:0xf");
  snippet.vector(1, moved).vector(2, sums).vector(3, 0x40000000).wantVectors(2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const float want = lane % 16 < 12 ? 1000.0f - 2 * static_cast<float>(lane + 4) : 1000.0f;
    EXPECT_EQ(std::bit_cast<float>(snippet.vectorOut(2)[lane]), want) << lane;
  }
}

TEST(DataParallel, BothRegistersOfADoubleAreMoved) {
  Lanes low;
  Lanes high;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const auto bits = std::bit_cast<uint64_t>(lane + 1.0 / 3);
    low[lane] = static_cast<uint32_t>(bits);
    high[lane] = static_cast<uint32_t>(bits >> 32);
  }
  Snippet snippet("v_ceil_f64_dpp v[4:5], v[2:3] row_newbcast:3 row_mask:0x7 bank_mask:0xf");
  snippet.vector(2, low).vector(3, high).vector(4, kOld).vector(5, kOld).wantVectors(4, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 48; ++lane) {
    const uint64_t bits =
        snippet.vectorOut(4)[lane] | static_cast<uint64_t>(snippet.vectorOut(5)[lane]) << 32;
    EXPECT_EQ(std::bit_cast<double>(bits), lane / 16 * 16 + 4.0) << lane;
  }
  EXPECT_EQ(snippet.vectorOut(4)[50], kOld);
  EXPECT_EQ(snippet.vectorOut(5)[50], kOld);
}

} // namespace
} // namespace gpusim::test
