// What gfx942 has beyond gfx90a: eight-bit floats, scratch instructions, scope bits, wider moves.
#include <array>
#include <bit>
#include <cmath>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "edge_values.h"

namespace gpusim::test {
namespace {

constexpr uint64_t kData = Snippet::kData;

Snippet onGfx942(const std::string& text) {
  Snippet snippet(text);
  snippet.processor("gfx942");
  return snippet;
}

Lanes offsets(uint32_t stride) {
  Lanes lanes;
  for (unsigned lane = 0; lane < 64; ++lane) {
    lanes[lane] = lane * stride;
  }
  return lanes;
}

/// The two formats: exponent bits, bias.
struct ByteFormat {
  const char* name;
  int mantissa;
  int bias;

  /// Every value a byte stands for, by its definition.
  double value(unsigned byte) const {
    const int exponent = static_cast<int>(byte >> mantissa & (0x7f >> mantissa));
    const int fraction = static_cast<int>(byte & ((1u << mantissa) - 1));
    const double one = 1 << mantissa;
    const double magnitude = exponent == 0 ? fraction / one * std::pow(2.0, 1 - bias)
                                           : (1 + fraction / one) * std::pow(2.0, exponent - bias);
    return (byte & 0x80) != 0 ? -magnitude : magnitude;
  }

  /// The byte nearest to `value`, by trying all; ties go to the even one.
  unsigned nearest(double value) const {
    unsigned best = 0;
    for (unsigned byte = 0; byte < 256; ++byte) {
      if (byte == 0x80) {
        continue;
      }
      const double distance = std::fabs(this->value(byte) - value);
      const double shortest = std::fabs(this->value(best) - value);
      if (distance < shortest || (distance == shortest && byte % 2 == 0 && byte != 0)) {
        best = byte;
      }
    }
    return best;
  }
  double largest() const { return value(0x7f); }
  /// From here on values do not round to the largest.
  double limit() const { return largest() + (largest() - value(0x7e)) / 2; }
};

constexpr ByteFormat kFormats[] = {{"fp8", 3, 8}, {"bf8", 2, 16}};

TEST(Gfx942ByteFloats, EveryByteIsWidened) {
  for (const ByteFormat& format : kFormats) {
    Lanes bytes;
    for (unsigned lane = 0; lane < 64; ++lane) {
      bytes[lane] = 4 * lane | (4 * lane + 1) << 8 | (4 * lane + 2) << 16 | (4 * lane + 3) << 24;
    }
    std::string text = fmt::format("v_cvt_f32_{} v10, v1\n", format.name);
    for (unsigned byte = 1; byte < 4; ++byte) {
      text +=
          fmt::format("v_cvt_f32_{}_sdwa v{}, v1 src0_sel:BYTE_{}\n", format.name, 10 + byte, byte);
    }
    text += fmt::format("v_cvt_pk_f32_{} v[14:15], v1\n", format.name);
    text += fmt::format("v_cvt_pk_f32_{}_sdwa v[16:17], v1 src0_sel:WORD_1\n", format.name);
    Snippet snippet = onGfx942(text);
    snippet.vector(1, bytes).wantVectors(10, 8);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    for (unsigned byte = 0; byte < 256; ++byte) {
      const uint32_t single = snippet.vectorOut(10 + byte % 4)[byte / 4];
      EXPECT_EQ(snippet.vectorOut(14 + byte % 4)[byte / 4], single) << byte;
      if (byte == 0x80) {
        EXPECT_TRUE(std::isnan(std::bit_cast<float>(single)));
      } else {
        EXPECT_EQ(std::bit_cast<float>(single), format.value(byte)) << format.name << ' ' << byte;
      }
    }
  }
}

/// Values between, on and beyond the numbers of a format.
Lanes singlesFor(const ByteFormat& format, unsigned salt) {
  std::mt19937 random(salt);
  Lanes lanes;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const double a = format.value(random() % 127);
    const double between = (a + format.value(random() % 127)) / 2; // often a tie
    const double chosen = lane % 4 == 0   ? a
                          : lane % 4 == 1 ? between
                                          : a * (1 + (random() % 100) / 700.0);
    lanes[lane] = std::bit_cast<uint32_t>(static_cast<float>(lane % 2 == 0 ? chosen : -chosen));
  }
  const double edges[] = {0.0, -0.0, format.limit(), 1e30, -1e30, 1e-40, -INFINITY, NAN};
  for (unsigned edge = 0; edge < 8; ++edge) {
    lanes[8 * edge] = std::bit_cast<uint32_t>(static_cast<float>(edges[edge]));
  }
  return lanes;
}

unsigned expectedByte(const ByteFormat& format, uint32_t single, bool saturates) {
  const float value = std::bit_cast<float>(single);
  if (!std::isfinite(value)) {
    return 0x80;
  }
  if (std::fabs(value) >= format.limit()) {
    return saturates ? (value < 0 ? 0xff : 0x7f) : 0x80;
  }
  return format.nearest(value);
}

TEST(Gfx942ByteFloats, PairsRoundToNearestEvenIntoTheChosenHalf) {
  for (const ByteFormat& format : kFormats) {
    for (const bool saturates : {false, true}) {
      Snippet snippet = onGfx942(
          fmt::format("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), {}\n"
                      "v_cvt_pk_{}_f32 v3, v1, v2\nv_cvt_pk_{}_f32 v4, -v1, |v2| op_sel:[0,0,1]\n",
                      saturates ? 1 : 0, format.name, format.name));
      const Lanes low = singlesFor(format, 11);
      const Lanes high = singlesFor(format, 12);
      snippet.vector(1, low).vector(2, high).vector(3, 0xaaaabbbb).vector(4, 0xaaaabbbb);
      snippet.wantVectors(3, 2);
      ASSERT_TRUE(snippet.run()) << snippet.fault().message;
      for (unsigned lane = 0; lane < 64; ++lane) {
        const unsigned pair = expectedByte(format, low[lane], saturates) |
                              expectedByte(format, high[lane], saturates) << 8;
        EXPECT_EQ(snippet.vectorOut(3)[lane], 0xaaaa0000 | pair) << format.name << ' ' << lane;
        const unsigned changed = expectedByte(format, low[lane] ^ 0x80000000, saturates) |
                                 expectedByte(format, high[lane] & 0x7fffffff, saturates) << 8;
        EXPECT_EQ(snippet.vectorOut(4)[lane], 0x0000bbbb | changed << 16)
            << format.name << ' ' << lane;
      }
    }
  }
}

TEST(Gfx942ByteFloats, StochasticRoundingIsRefusedByName) {
  Snippet snippet = onGfx942("v_cvt_sr_fp8_f32 v3, v1, v2");
  ASSERT_FALSE(snippet.run());
  EXPECT_EQ(snippet.fault().kind, Fault::Kind::Unsupported);
  EXPECT_NE(snippet.fault().message.find("stochastic"), std::string::npos)
      << snippet.fault().message;
}

TEST(Gfx942Matrix, FormatsOfBothSourcesAreTheirOwn) {
  // One nonzero element each: 1.0 as fp8 is 0x40, 2.0 as bf8 is 0x44.
  for (const char* size : {"32x32x16", "16x16x32"}) {
    const unsigned registers = size[0] == '3' ? 16 : 4;
    Snippet snippet =
        onGfx942(fmt::format("v_mfma_f32_{0}_fp8_bf8 v[0:{1}], v[40:41], v[42:43], 0\n"
                             "v_mfma_f32_{0}_bf8_fp8 v[20:{2}], v[42:43], v[40:41], 0\n",
                             size, registers - 1, 20 + registers - 1));
    Lanes one{}, two{};
    one[0] = 0x40;
    two[0] = 0x44;
    snippet.vector(40, one).vector(41, 0).vector(42, two).vector(43, 0);
    snippet.wantVectors(0).wantVectors(20);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    EXPECT_EQ(snippet.vectorOut(0)[0], 0x40000000u) << size;
    EXPECT_EQ(snippet.vectorOut(20)[0], 0x40000000u) << size;
    EXPECT_EQ(snippet.vectorOut(0)[1], 0u) << size;
  }
}

TEST(Gfx942Matrix, DenormalsOfHalvesCount) {
  Snippet snippet = onGfx942("v_mfma_f32_4x4x4_16b_f16 v[0:3], v[40:41], v[42:43], 0\n"
                             "v_mfma_f32_4x4x4_16b_bf16 v[4:7], v[44:45], v[46:47], 0\n");
  snippet.vector(40, 0x00000001).vector(41, 0).vector(42, 0x00004400).vector(43, 0);
  snippet.vector(44, 0x0000007f).vector(45, 0).vector(46, 0x00003f80).vector(47, 0);
  snippet.wantVectors(0).wantVectors(4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(std::bit_cast<float>(snippet.vectorOut(0)[9]), 0x1p-22f); // 2^-24 times 4
  EXPECT_EQ(snippet.vectorOut(4)[9], 0x007f0000u);
}

TEST(Gfx942Matrix, ReducedSinglesAreRoundedBeforeTheyAreMultiplied) {
  Snippet snippet = onGfx942("v_mfma_f32_16x16x8_xf32 v[0:3], v[40:41], v[42:43], 0");
  Lanes a{}, b{};
  a[0] = std::bit_cast<uint32_t>(1.0f + 0x1p-11f); // a tie: to the even 1.0
  a[1] = std::bit_cast<uint32_t>(1.0f + 0x1p-11f + 0x1p-20f);
  b[0] = std::bit_cast<uint32_t>(3.0f);
  snippet.vector(40, a).vector(41, 0).vector(42, b).vector(43, 0).wantVectors(0, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(std::bit_cast<float>(snippet.vectorOut(0)[0]), 3.0f);
  EXPECT_EQ(std::bit_cast<float>(snippet.vectorOut(1)[0]), 3.0f * (1.0f + 0x1p-10f));
}

TEST(Gfx942Matrix, SparseProductsAreRefused) {
  Snippet snippet = onGfx942("v_smfmac_f32_16x16x32_f16 v[0:3], v[40:41], v[42:45], v46");
  ASSERT_FALSE(snippet.run());
  EXPECT_NE(snippet.fault().message.find("sparse"), std::string::npos) << snippet.fault().message;
}

TEST(Gfx942Vector, MovesAndSumsOfPairs) {
  for (const uint64_t mask : kMasks) {
    Snippet snippet = onGfx942("v_mov_b64 v[4:5], v[2:3]\nv_mov_b64 v[6:7], -3\n"
                               "v_lshl_add_u64 v[8:9], v[2:3], v10, v[12:13]\n"
                               "v_mov_b64 v[14:15], s[4:5]\n");
    const Lanes low = edgeLanes(60), high = edgeLanes(61), shift = edgeLanes(62);
    const Lanes addLow = edgeLanes(63), addHigh = edgeLanes(64);
    snippet.vector(2, low).vector(3, high).vector(10, shift).vector(12, addLow).vector(13, addHigh);
    snippet.vector(4, 1).vector(8, 1).vector(9, 1).scalar(4, 0x12345678).scalar(5, 0x9abcdef0);
    snippet.exec(mask).wantVectors(4, 6).wantVectors(14, 2);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    for (unsigned lane = 0; lane < 64; ++lane) {
      if ((mask >> lane & 1) == 0) {
        EXPECT_EQ(snippet.vectorOut(4)[lane], 1u);
        EXPECT_EQ(snippet.vectorOut(8)[lane], 1u);
        continue;
      }
      const uint64_t value = low[lane] | uint64_t{high[lane]} << 32;
      const uint64_t sum =
          (value << (shift[lane] % 8)) + (addLow[lane] | uint64_t{addHigh[lane]} << 32);
      EXPECT_EQ(snippet.vectorOut(4)[lane], low[lane]);
      EXPECT_EQ(snippet.vectorOut(5)[lane], high[lane]);
      EXPECT_EQ(snippet.vectorOut(6)[lane], 0xfffffffdu);
      EXPECT_EQ(snippet.vectorOut(7)[lane], 0xffffffffu);
      EXPECT_EQ(snippet.vectorOut(8)[lane], static_cast<uint32_t>(sum)) << lane;
      EXPECT_EQ(snippet.vectorOut(9)[lane], static_cast<uint32_t>(sum >> 32)) << lane;
      EXPECT_EQ(snippet.vectorOut(14)[lane], 0x12345678u);
      EXPECT_EQ(snippet.vectorOut(15)[lane], 0x9abcdef0u);
    }
  }
}

TEST(Gfx942Vector, FusedMultiplyAddTakesItsLiteral) {
  Snippet snippet =
      onGfx942("v_fmaak_f32 v4, v1, v2, 0x3f8ccccd\nv_fmamk_f32 v5, v1, 0x3f8ccccd, v2\n");
  Lanes a, b;
  std::mt19937 random(70);
  for (unsigned lane = 0; lane < 64; ++lane) {
    a[lane] = std::bit_cast<uint32_t>(static_cast<float>(random() % 99991) / 991);
    b[lane] = std::bit_cast<uint32_t>(static_cast<float>(random() % 99991) / -1013);
  }
  snippet.vector(1, a).vector(2, b).wantVectors(4, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  const float literal = std::bit_cast<float>(0x3f8ccccdu);
  for (unsigned lane = 0; lane < 64; ++lane) {
    const float x = std::bit_cast<float>(a[lane]);
    const float y = std::bit_cast<float>(b[lane]);
    EXPECT_EQ(std::bit_cast<float>(snippet.vectorOut(4)[lane]), std::fma(x, y, literal));
    EXPECT_EQ(std::bit_cast<float>(snippet.vectorOut(5)[lane]), std::fma(x, literal, y));
  }
}

TEST(Gfx942Scratch, EveryAddressFormReachesTheLanesOwnMemory) {
  Snippet snippet =
      onGfx942("scratch_store_dword off, v2, off offset:16\n"
               "scratch_store_dwordx2 v1, v[2:3], off offset:32\n"
               "scratch_store_short v1, v2, s4 offset:8\n"
               "scratch_load_dword v4, off, s5\n" // 16
               "scratch_load_dwordx2 v[6:7], v1, off offset:32\n"
               "scratch_load_ushort v8, v1, s4 offset:8\n"
               "s_mov_b64 s[6:7], src_private_base\n"
               "v_mov_b32 v10, 16\nv_mov_b32 v11, s7\nflat_load_dword v9, v[10:11]\n");
  const Lanes low = edgeLanes(71), high = edgeLanes(72);
  snippet.vector(1, offsets(1)).vector(2, low).vector(3, high).scalar(4, 128).scalar(5, 16);
  // Lanes with odd offsets overwrite only bytes of their own.
  snippet.wantVectors(4).wantVectors(6, 4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(4), low);
  EXPECT_EQ(snippet.vectorOut(6), low);
  EXPECT_EQ(snippet.vectorOut(7), high);
  EXPECT_EQ(snippet.vectorOut(9), low);
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(snippet.vectorOut(8)[lane], low[lane] & 0xffff);
  }
}

TEST(Gfx942Scratch, BeyondTheSegmentIsAFault) {
  Snippet snippet = onGfx942("scratch_load_dword v4, off, s4");
  snippet.scalar(4, 256);
  ASSERT_FALSE(snippet.run());
  EXPECT_EQ(snippet.fault().kind, Fault::Kind::MemoryViolation) << snippet.fault().message;
}

TEST(Gfx942Atomics, ScopeBitZeroReturnsTheOldValue) {
  Snippet snippet = onGfx942("global_atomic_add v4, v1, v2, s[60:61] sc0\n"
                             "global_atomic_add v1, v2, s[60:61] sc1 nt\n"
                             "global_load_dword v5, v1, s[60:61] sc0 sc1\n"
                             "buffer_wbl2 sc0 sc1\nbuffer_inv sc1\n");
  const Lanes values = edgeLanes(73);
  snippet.vector(1, offsets(4)).vector(2, values).vector(4, 7).wantVectors(4, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(snippet.vectorOut(4)[lane], 0u);
    EXPECT_EQ(snippet.vectorOut(5)[lane], 2 * values[lane]);
  }
}

uint16_t brain(float value) {
  return static_cast<uint16_t>(std::bit_cast<uint32_t>(value) >> 16);
}

TEST(Gfx942Atomics, PackedSumsRoundEachHalf) {
  // 256 + 1 is a tie between 256 and 258 in a brain float; 1 + 2^-11 one in a half.
  const uint32_t brains = brain(256.0f) | static_cast<uint32_t>(brain(2.0f)) << 16;
  const uint32_t addend = brain(1.0f) | static_cast<uint32_t>(brain(-2.0f)) << 16;
  const uint32_t halves = 0x3c00u | 0x7bffu << 16;
  const uint32_t more = 0x1000u | 0x7bffu << 16;
  Snippet snippet = onGfx942("ds_write_b32 v1, v2\nds_write_b32 v1, v4 offset:256\n"
                             "global_store_dword v1, v2, s[60:61]\n"
                             "global_store_dword v1, v4, s[60:61] offset:256\n"
                             "ds_pk_add_rtn_bf16 v10, v1, v3\nds_pk_add_f16 v1, v5 offset:256\n"
                             "global_atomic_pk_add_bf16 v11, v1, v3, s[60:61] sc0\n"
                             "global_atomic_pk_add_f16 v12, v1, v5, s[60:61] offset:256 sc0\n"
                             "ds_read_b32 v13, v1\nds_read_b32 v14, v1 offset:256\n"
                             "global_load_dword v15, v1, s[60:61]\n"
                             "global_load_dword v16, v1, s[60:61] offset:256\n");
  snippet.vector(1, offsets(4))
      .vector(2, brains)
      .vector(3, addend)
      .vector(4, halves)
      .vector(5, more);
  snippet.ldsBytes(512).wantVectors(10, 7);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  constexpr uint32_t kHalfSums = 0x3c00u | 0x7c00u << 16;
  const uint32_t brainSums = brain(256.0f);
  for (const unsigned lane : {0u, 31u, 63u}) {
    EXPECT_EQ(snippet.vectorOut(10)[lane], brains);
    EXPECT_EQ(snippet.vectorOut(11)[lane], brains);
    EXPECT_EQ(snippet.vectorOut(12)[lane], halves);
    EXPECT_EQ(snippet.vectorOut(13)[lane], brainSums);
    EXPECT_EQ(snippet.vectorOut(14)[lane], kHalfSums);
    EXPECT_EQ(snippet.vectorOut(15)[lane], brainSums);
    EXPECT_EQ(snippet.vectorOut(16)[lane], kHalfSums);
  }
}

TEST(Gfx942Registers, WavesAreOnTheFirstDie) {
  Snippet snippet = onGfx942("s_mov_b32 s4, -1\ns_getreg_b32 s4, hwreg(HW_REG_XCC_ID)\n");
  snippet.wantScalars(4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.scalarOut(4), 0u);
}

} // namespace
} // namespace gpusim::test
