// Sums of absolute differences at four positions of a window.
#include <algorithm>
#include <array>
#include <cstdlib>

#include <gtest/gtest.h>

#include "edge_values.h"

namespace gpusim::test {
namespace {

/// Bytes of a window of two registers.
std::array<int, 8> bytesOf(uint32_t low, uint32_t high) {
  std::array<int, 8> bytes{};
  for (unsigned index = 0; index < 8; ++index) {
    bytes[index] = static_cast<int>((index < 4 ? low : high) >> 8 * (index % 4) & 0xff);
  }
  return bytes;
}

uint32_t sumAt(const std::array<int, 8>& window, uint32_t reference, unsigned position,
               bool masked) {
  int sum = 0;
  for (unsigned index = 0; index < 4; ++index) {
    const int byte = static_cast<int>(reference >> 8 * index & 0xff);
    sum += masked && byte == 0 ? 0 : std::abs(window[position + index] - byte);
  }
  return static_cast<uint32_t>(sum);
}

TEST(QuadDifferences, PackedSumsWrapOrSaturate) {
  const Lanes low = edgeLanes(120), high = edgeLanes(121), reference = edgeLanes(122);
  const Lanes sumsLow = edgeLanes(123), sumsHigh = edgeLanes(124);
  struct Case {
    const char* text;
    bool masked;
    bool saturates;
  };
  for (const Case& test :
       {Case{"v_qsad_pk_u16_u8 v[8:9], v[2:3], v4, v[6:7]", false, false},
        Case{"v_mqsad_pk_u16_u8 v[8:9], v[2:3], v4, v[6:7]", true, false},
        Case{"v_qsad_pk_u16_u8 v[8:9], v[2:3], v4, v[6:7] clamp", false, true},
        Case{"v_mqsad_pk_u16_u8 v[8:9], v[2:3], v4, v[6:7] clamp", true, true}}) {
    Snippet snippet(test.text);
    snippet.vector(2, low)
        .vector(3, high)
        .vector(4, reference)
        .vector(6, sumsLow)
        .vector(7, sumsHigh);
    snippet.wantVectors(8, 2);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    for (unsigned lane = 0; lane < 64; ++lane) {
      const auto window = bytesOf(low[lane], high[lane]);
      for (unsigned position = 0; position < 4; ++position) {
        const uint32_t before =
            (position < 2 ? sumsLow : sumsHigh)[lane] >> 16 * (position % 2) & 0xffff;
        const uint32_t sum = before + sumAt(window, reference[lane], position, test.masked);
        const uint32_t expected = test.saturates ? std::min(sum, 0xffffu) : sum & 0xffff;
        EXPECT_EQ(snippet.vectorOut(8 + position / 2)[lane] >> 16 * (position % 2) & 0xffff,
                  expected)
            << test.text << " lane " << lane << " position " << position;
      }
    }
  }
}

TEST(QuadDifferences, WideSumsFillFourRegistersUnderExec) {
  const Lanes low = edgeLanes(125), high = edgeLanes(126), reference = edgeLanes(127);
  for (const bool saturates : {false, true}) {
    for (const uint64_t mask : kMasks) {
      Snippet snippet(std::string("v_mqsad_u32_u8 v[8:11], v[2:3], v4, v[12:15]") +
                      (saturates ? " clamp" : ""));
      snippet.vector(2, low).vector(3, high).vector(4, reference).exec(mask);
      for (unsigned index = 0; index < 4; ++index) {
        snippet.vector(12 + index, edgeLanes(128 + index)).vector(8 + index, 77);
      }
      snippet.wantVectors(8, 4);
      ASSERT_TRUE(snippet.run()) << snippet.fault().message;
      for (unsigned lane = 0; lane < 64; ++lane) {
        const auto window = bytesOf(low[lane], high[lane]);
        for (unsigned position = 0; position < 4; ++position) {
          const uint64_t sum = uint64_t{edgeLanes(128 + position)[lane]} +
                               sumAt(window, reference[lane], position, true);
          const uint64_t expected =
              saturates ? std::min<uint64_t>(sum, 0xffffffff) : sum & 0xffffffff;
          EXPECT_EQ(snippet.vectorOut(8 + position)[lane], (mask >> lane & 1) != 0 ? expected : 77u)
              << "lane " << lane << " position " << position;
        }
      }
    }
  }
}

} // namespace
} // namespace gpusim::test
