// MFMA against products of matrices computed element by element; layouts as they are documented,
// one formula for each size.
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "snippet.h"

namespace gpusim::test {
namespace {

/// The floats of eight bits are those of gfx942, then those of gfx950.
enum class Type { Single, Half, Brain, Byte, Double, Fp8, Bf8, OcpFp8, OcpBf8 };

struct MatrixCase {
  const char* mnemonic;
  Type type;
  int size;
  int depth;
  int blocks;
  int pack; ///< elements along the depth in one lane
  const char* processor = "gfx90a";
};

constexpr MatrixCase kCases[] = {
    {"v_mfma_f32_32x32x1f32", Type::Single, 32, 1, 2, 1},
    {"v_mfma_f32_16x16x1f32", Type::Single, 16, 1, 4, 1},
    {"v_mfma_f32_4x4x1f32", Type::Single, 4, 1, 16, 1},
    {"v_mfma_f32_32x32x2f32", Type::Single, 32, 2, 1, 1},
    {"v_mfma_f32_16x16x4f32", Type::Single, 16, 4, 1, 1},
    {"v_mfma_f32_32x32x4f16", Type::Half, 32, 4, 2, 4},
    {"v_mfma_f32_16x16x4f16", Type::Half, 16, 4, 4, 4},
    {"v_mfma_f32_4x4x4f16", Type::Half, 4, 4, 16, 4},
    {"v_mfma_f32_32x32x8f16", Type::Half, 32, 8, 1, 4},
    {"v_mfma_f32_16x16x16f16", Type::Half, 16, 16, 1, 4},
    {"v_mfma_f32_32x32x2bf16", Type::Brain, 32, 2, 2, 2},
    {"v_mfma_f32_16x16x2bf16", Type::Brain, 16, 2, 4, 2},
    {"v_mfma_f32_4x4x2bf16", Type::Brain, 4, 2, 16, 2},
    {"v_mfma_f32_32x32x4bf16", Type::Brain, 32, 4, 1, 2},
    {"v_mfma_f32_16x16x8bf16", Type::Brain, 16, 8, 1, 2},
    {"v_mfma_f32_32x32x4bf16_1k", Type::Brain, 32, 4, 2, 4},
    {"v_mfma_f32_16x16x4bf16_1k", Type::Brain, 16, 4, 4, 4},
    {"v_mfma_f32_4x4x4bf16_1k", Type::Brain, 4, 4, 16, 4},
    {"v_mfma_f32_32x32x8bf16_1k", Type::Brain, 32, 8, 1, 4},
    {"v_mfma_f32_16x16x16bf16_1k", Type::Brain, 16, 16, 1, 4},
    {"v_mfma_i32_32x32x4i8", Type::Byte, 32, 4, 2, 4},
    {"v_mfma_i32_16x16x4i8", Type::Byte, 16, 4, 4, 4},
    {"v_mfma_i32_4x4x4i8", Type::Byte, 4, 4, 16, 4},
    {"v_mfma_i32_32x32x8i8", Type::Byte, 32, 8, 1, 4},
    {"v_mfma_i32_16x16x16i8", Type::Byte, 16, 16, 1, 4},
    {"v_mfma_f64_16x16x4f64", Type::Double, 16, 4, 1, 1},
    {"v_mfma_f64_4x4x4f64", Type::Double, 4, 4, 4, 1},
    {"v_mfma_f32_32x32x1_2b_f32", Type::Single, 32, 1, 2, 1, "gfx942"},
    {"v_mfma_f32_16x16x1_4b_f32", Type::Single, 16, 1, 4, 1, "gfx942"},
    {"v_mfma_f32_4x4x1_16b_f32", Type::Single, 4, 1, 16, 1, "gfx942"},
    {"v_mfma_f32_32x32x2_f32", Type::Single, 32, 2, 1, 1, "gfx942"},
    {"v_mfma_f32_16x16x4_f32", Type::Single, 16, 4, 1, 1, "gfx942"},
    {"v_mfma_f32_32x32x4_2b_f16", Type::Half, 32, 4, 2, 4, "gfx942"},
    {"v_mfma_f32_16x16x4_4b_f16", Type::Half, 16, 4, 4, 4, "gfx942"},
    {"v_mfma_f32_4x4x4_16b_f16", Type::Half, 4, 4, 16, 4, "gfx942"},
    {"v_mfma_f32_32x32x8_f16", Type::Half, 32, 8, 1, 4, "gfx942"},
    {"v_mfma_f32_16x16x16_f16", Type::Half, 16, 16, 1, 4, "gfx942"},
    {"v_mfma_f32_32x32x4_2b_bf16", Type::Brain, 32, 4, 2, 4, "gfx942"},
    {"v_mfma_f32_16x16x4_4b_bf16", Type::Brain, 16, 4, 4, 4, "gfx942"},
    {"v_mfma_f32_4x4x4_16b_bf16", Type::Brain, 4, 4, 16, 4, "gfx942"},
    {"v_mfma_f32_32x32x8_bf16", Type::Brain, 32, 8, 1, 4, "gfx942"},
    {"v_mfma_f32_16x16x16_bf16", Type::Brain, 16, 16, 1, 4, "gfx942"},
    {"v_mfma_i32_32x32x4_2b_i8", Type::Byte, 32, 4, 2, 4, "gfx942"},
    {"v_mfma_i32_16x16x4_4b_i8", Type::Byte, 16, 4, 4, 4, "gfx942"},
    {"v_mfma_i32_4x4x4_16b_i8", Type::Byte, 4, 4, 16, 4, "gfx942"},
    {"v_mfma_i32_32x32x16_i8", Type::Byte, 32, 16, 1, 8, "gfx942"},
    {"v_mfma_i32_16x16x32_i8", Type::Byte, 16, 32, 1, 8, "gfx942"},
    {"v_mfma_f64_16x16x4_f64", Type::Double, 16, 4, 1, 1, "gfx942"},
    {"v_mfma_f64_4x4x4_4b_f64", Type::Double, 4, 4, 4, 1, "gfx942"},
    {"v_mfma_f32_32x32x4_xf32", Type::Single, 32, 4, 1, 2, "gfx942"},
    {"v_mfma_f32_16x16x8_xf32", Type::Single, 16, 8, 1, 2, "gfx942"},
    {"v_mfma_f32_32x32x16_fp8_fp8", Type::Fp8, 32, 16, 1, 8, "gfx942"},
    {"v_mfma_f32_16x16x32_fp8_fp8", Type::Fp8, 16, 32, 1, 8, "gfx942"},
    {"v_mfma_f32_32x32x16_bf8_bf8", Type::Bf8, 32, 16, 1, 8, "gfx942"},
    {"v_mfma_f32_16x16x32_bf8_bf8", Type::Bf8, 16, 32, 1, 8, "gfx942"},
    {"v_mfma_f32_32x32x16_f16", Type::Half, 32, 16, 1, 8, "gfx950"},
    {"v_mfma_f32_16x16x32_f16", Type::Half, 16, 32, 1, 8, "gfx950"},
    {"v_mfma_f32_32x32x16_bf16", Type::Brain, 32, 16, 1, 8, "gfx950"},
    {"v_mfma_f32_16x16x32_bf16", Type::Brain, 16, 32, 1, 8, "gfx950"},
    {"v_mfma_i32_32x32x32_i8", Type::Byte, 32, 32, 1, 16, "gfx950"},
    {"v_mfma_i32_16x16x64_i8", Type::Byte, 16, 64, 1, 16, "gfx950"},
    {"v_mfma_f32_32x32x16_fp8_fp8", Type::OcpFp8, 32, 16, 1, 8, "gfx950"},
    {"v_mfma_f32_16x16x32_fp8_fp8", Type::OcpFp8, 16, 32, 1, 8, "gfx950"},
    {"v_mfma_f32_32x32x16_bf8_bf8", Type::OcpBf8, 32, 16, 1, 8, "gfx950"},
    {"v_mfma_f32_16x16x32_bf8_bf8", Type::OcpBf8, 16, 32, 1, 8, "gfx950"},
};

const MatrixCase& caseOf(const std::string& mnemonic) {
  for (const MatrixCase& test : kCases) {
    if (mnemonic == test.mnemonic) {
      return test;
    }
  }
  ADD_FAILURE() << "no case for " << mnemonic;
  return kCases[0];
}

// Registers of the snippets: C and D from v0 on, then A and B.
constexpr unsigned kA = 40;
constexpr unsigned kB = 44;

struct Place {
  int element; ///< of the lane
  int lane;
};

/// Row `i` (or column) of `block` at depth `k`, in A (or B).
Place sourcePlace(const MatrixCase& test, int block, int i, int k) {
  if (test.type == Type::Double && test.size == 4) {
    return {0, 4 * block + 16 * k + i};
  }
  const int step = test.blocks > 1 ? block : k / test.pack;
  return {k % test.pack, test.size * step + i};
}

Place resultPlace(const MatrixCase& test, int block, int i, int j) {
  if (test.type == Type::Double) {
    return test.size == 16 ? Place{i / 4, 16 * (i % 4) + j} : Place{0, 16 * i + 4 * block + j};
  }
  switch (test.size) {
  case 32:
    return {16 * block + 4 * (i / 8) + i % 4, 32 * (i / 4 % 2) + j};
  case 16:
    return {4 * block + i % 4, 16 * (i / 4) + j};
  default:
    return {i, 4 * block + j};
  }
}

int results(const MatrixCase& test) {
  return test.size * test.size * test.blocks / 64;
}

/// An integer as a float of eight bits.
uint64_t encodeByte(int value, int mantissaBits, int bias) {
  if (value == 0) {
    return 0;
  }
  const int exponent = std::ilogb(value);
  const int units = std::abs(value) << mantissaBits >> exponent;
  const int field = exponent + bias;
  const int bits = field << mantissaBits | (units & ((1 << mantissaBits) - 1));
  return static_cast<uint64_t>(value < 0 ? bits | 0x80 : bits);
}

/// Element bits of an integer that every type can hold.
uint64_t encode(Type type, int value) {
  switch (type) {
  case Type::Single:
    return std::bit_cast<uint32_t>(static_cast<float>(value));
  case Type::Brain:
    return std::bit_cast<uint32_t>(static_cast<float>(value)) >> 16;
  case Type::Half: {
    if (value == 0) {
      return 0;
    }
    const int exponent = std::ilogb(value);
    const auto fraction = static_cast<uint64_t>(std::abs(value)) << (10 - exponent) & 0x3ff;
    return (value < 0 ? 0x8000u : 0u) | static_cast<uint64_t>(exponent + 15) << 10 | fraction;
  }
  case Type::Byte:
    return static_cast<uint8_t>(value);
  case Type::Fp8:
    return encodeByte(value, 3, 8);
  case Type::Bf8:
    return encodeByte(value, 2, 16);
  case Type::OcpFp8:
    return encodeByte(value, 3, 7);
  case Type::OcpBf8:
    return encodeByte(value, 2, 15);
  case Type::Double:
    return std::bit_cast<uint64_t>(static_cast<double>(value));
  }
  return 0;
}

unsigned bitsOf(Type type) {
  switch (type) {
  case Type::Byte:
  case Type::Fp8:
  case Type::Bf8:
  case Type::OcpFp8:
  case Type::OcpBf8:
    return 8;
  case Type::Half:
  case Type::Brain:
    return 16;
  case Type::Single:
    return 32;
  case Type::Double:
    break;
  }
  return 64;
}

/// Registers `first` and up, as many as needed.
using Registers = std::vector<Lanes>;

void put(Registers& registers, Place place, unsigned bits, uint64_t value) {
  const unsigned position = static_cast<unsigned>(place.element) * bits;
  const auto lane = static_cast<size_t>(place.lane);
  registers[position / 32][lane] |= static_cast<uint32_t>(value << position % 32);
  if (bits == 64) {
    registers[position / 32 + 1][lane] = static_cast<uint32_t>(value >> 32);
  }
}

uint64_t get(const Snippet& snippet, Place place, bool wide) {
  const auto lane = static_cast<size_t>(place.lane);
  const auto element = static_cast<unsigned>(place.element);
  return wide ? snippet.vectorOut(2 * element)[lane] |
                    static_cast<uint64_t>(snippet.vectorOut(2 * element + 1)[lane]) << 32
              : snippet.vectorOut(element)[lane];
}

std::string range(char bank, unsigned first, unsigned count) {
  return count == 1 ? fmt::format("{}{}", bank, first)
                    : fmt::format("{}[{}:{}]", bank, first, first + count - 1);
}

/// Integers small enough for every sum to be exact, and the snippet that multiplies them.
class Product {
public:
  explicit Product(const MatrixCase& test, uint32_t seed = 1) : test_(test) {
    std::mt19937 random(seed);
    const auto fill = [&](std::vector<int>& values, int count) {
      for (int index = 0; index < count; ++index) {
        values.push_back(static_cast<int>(random() % 15) - 7);
      }
    };
    fill(a_, test.blocks * test.size * test.depth);
    fill(b_, test.blocks * test.size * test.depth);
    fill(c_, test.blocks * test.size * test.size);
  }

  int a(int block, int i, int k) const { return a_[index(block, i, k, test_.depth)]; }
  int b(int block, int j, int k) const { return b_[index(block, j, k, test_.depth)]; }
  int c(int block, int i, int j) const { return c_[index(block, i, j, test_.size)]; }

  unsigned sourceRegisters() const {
    return std::max(1u, static_cast<unsigned>(test_.pack) * bitsOf(test_.type) / 32);
  }
  unsigned resultRegisters() const {
    return static_cast<unsigned>(results(test_)) * (test_.type == Type::Double ? 2 : 1);
  }

  /// `addend` replaces C when it is not empty.
  Snippet snippet(const std::string& modifiers, const std::string& addend = "") const {
    const std::string result = range('v', 0, resultRegisters());
    Snippet snippet(fmt::format(
        "{} {}, {}, {}, {} {}", test_.mnemonic, result, range('v', kA, sourceRegisters()),
        range('v', kB, sourceRegisters()), addend.empty() ? result : addend, modifiers));
    snippet.processor(test_.processor);
    load(snippet);
    snippet.wantVectors(0, resultRegisters());
    return snippet;
  }

  void load(Snippet& snippet) const {
    Registers a(sourceRegisters(), Lanes{});
    Registers b(sourceRegisters(), Lanes{});
    Registers c(resultRegisters(), Lanes{});
    const Type sum = test_.type == Type::Double ? Type::Double : Type::Single;
    for (int block = 0; block < test_.blocks; ++block) {
      for (int i = 0; i < test_.size; ++i) {
        for (int k = 0; k < test_.depth; ++k) {
          const Place place = sourcePlace(test_, block, i, k);
          put(a, place, bitsOf(test_.type), encode(test_.type, this->a(block, i, k)));
          put(b, place, bitsOf(test_.type), encode(test_.type, this->b(block, i, k)));
        }
        for (int j = 0; j < test_.size; ++j) {
          put(c, resultPlace(test_, block, i, j), bitsOf(sum), encodeSum(this->c(block, i, j)));
        }
      }
    }
    store(snippet, kA, a);
    store(snippet, kB, b);
    store(snippet, 0, c);
  }

  uint64_t encodeSum(int value) const {
    return test_.type == Type::Byte
               ? static_cast<uint32_t>(value)
               : encode(test_.type == Type::Double ? Type::Double : Type::Single, value);
  }

  /// Compares all of D with `want(block, i, j)`.
  template <class Want>
  void expect(const Snippet& snippet, Want want) const {
    for (int block = 0; block < test_.blocks; ++block) {
      for (int i = 0; i < test_.size; ++i) {
        for (int j = 0; j < test_.size; ++j) {
          const int value = want(block, i, j);
          const uint64_t bits =
              get(snippet, resultPlace(test_, block, i, j), test_.type == Type::Double);
          ASSERT_EQ(bits, encodeSum(value))
              << test_.mnemonic << " block " << block << " row " << i << " column " << j;
        }
      }
    }
  }

  int dot(int blockOfA, int i, int blockOfB, int j) const {
    int sum = 0;
    for (int k = 0; k < test_.depth; ++k) {
      sum += a(blockOfA, i, k) * b(blockOfB, j, k);
    }
    return sum;
  }

private:
  size_t index(int block, int major, int minor, int minors) const {
    return static_cast<size_t>((block * test_.size + major) * minors + minor);
  }
  static void store(Snippet& snippet, unsigned first, const Registers& registers) {
    for (unsigned index = 0; index < registers.size(); ++index) {
      snippet.vector(first + index, registers[index]);
    }
  }

  MatrixCase test_;
  std::vector<int> a_, b_, c_;
};

TEST(Matrix, EveryElementIsInItsPlaceWhateverExecSays) {
  for (const MatrixCase& test : kCases) {
    const Product product(test);
    Snippet snippet = product.snippet("");
    snippet.exec(0x5);
    ASSERT_TRUE(snippet.run()) << test.mnemonic << ": " << snippet.fault().message;
    product.expect(snippet, [&](int block, int i, int j) {
      return product.c(block, i, j) + product.dot(block, i, block, j);
    });
  }
}

TEST(Matrix, ConstantsFillTheThirdSource) {
  for (const MatrixCase& test : kCases) {
    const Product product(test, 2);
    const bool integer = test.type == Type::Byte;
    Snippet snippet = product.snippet("", integer ? "-3" : "-4.0");
    ASSERT_TRUE(snippet.run()) << test.mnemonic << ": " << snippet.fault().message;
    product.expect(snippet, [&](int block, int i, int j) {
      return (integer ? -3 : -4) + product.dot(block, i, block, j);
    });
  }
}

TEST(Matrix, BlocksOfAAreBroadcastInGroups) {
  for (const MatrixCase& test : kCases) {
    if (test.blocks == 1 || test.type == Type::Double) {
      continue;
    }
    for (int size = 1; 1 << size <= test.blocks; ++size) {
      const int group = 1 << size;
      const int chosen = group - 1;
      const Product product(test, 3);
      Snippet snippet = product.snippet(fmt::format("cbsz:{} abid:{}", size, chosen));
      ASSERT_TRUE(snippet.run()) << test.mnemonic << ": " << snippet.fault().message;
      product.expect(snippet, [&](int block, int i, int j) {
        return product.c(block, i, j) + product.dot(block / group * group + chosen, i, block, j);
      });
    }
  }
}

TEST(Matrix, BroadcastBeyondTheBlocksIsRefused) {
  for (const char* modifiers : {"cbsz:1", "abid:1"}) {
    Snippet snippet = Product(caseOf("v_mfma_f32_32x32x2f32")).snippet(modifiers);
    ASSERT_FALSE(snippet.run());
    EXPECT_EQ(snippet.fault().kind, Fault::Kind::Unsupported);
    EXPECT_NE(snippet.fault().message.find("cbsz or abid"), std::string::npos)
        << snippet.fault().message;
  }
}

TEST(Matrix, DoublePrecisionHasNoRouting) {
  Snippet snippet = Product(caseOf("v_mfma_f64_16x16x4f64")).snippet("blgp:1");
  ASSERT_FALSE(snippet.run());
  EXPECT_EQ(snippet.fault().kind, Fault::Kind::Unsupported) << snippet.fault().message;
}

/// The lane whose B is used instead of `lane`.
int patternLane(int pattern, int lane) {
  constexpr int kStarts[] = {0, 0, 32, 0, 0, 16, 32, 48};
  if (pattern == 0) {
    return lane;
  }
  if (pattern == 3) {
    return lane < 48 ? lane + 16 : lane - 48;
  }
  return kStarts[pattern] + lane % (pattern < 3 ? 32 : 16);
}

TEST(Matrix, LanePatternsRerouteB) {
  for (const char* mnemonic : {"v_mfma_f32_32x32x1f32", "v_mfma_i32_4x4x4i8",
                               "v_mfma_f32_16x16x1f32", "v_mfma_f32_4x4x4f16"}) {
    const MatrixCase& test = caseOf(mnemonic);
    for (int pattern = 1; pattern < 8; ++pattern) {
      const Product product(test, 4);
      Snippet snippet = product.snippet(fmt::format("blgp:{}", pattern));
      ASSERT_TRUE(snippet.run()) << test.mnemonic << ": " << snippet.fault().message;
      product.expect(snippet, [&](int block, int i, int j) {
        // With several blocks a lane of B is one column of one of them.
        const int lane = patternLane(pattern, test.size * block + j);
        return product.c(block, i, j) + product.dot(block, i, lane / test.size, lane % test.size);
      });
    }
  }
}

TEST(Matrix, AccumulationRegistersServeEverywhere) {
  const MatrixCase& test = caseOf("v_mfma_f32_16x16x4f32");
  const Product product(test, 5);
  Snippet snippet("v_accvgpr_write_b32 a8, v40\n"
                  "v_accvgpr_write_b32 a0, v0\nv_accvgpr_write_b32 a1, v1\n"
                  "v_accvgpr_write_b32 a2, v2\nv_accvgpr_write_b32 a3, v3\n"
                  "v_mfma_f32_16x16x4f32 a[4:7], a8, v44, a[0:3]\n"
                  "v_accvgpr_mov_b32 a9, a4\n"
                  "v_accvgpr_read_b32 v0, a9\nv_accvgpr_read_b32 v1, a5\n"
                  "v_accvgpr_read_b32 v2, a6\nv_accvgpr_read_b32 v3, a7\n");
  product.load(snippet);
  snippet.wantVectors(0, 4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  product.expect(snippet, [&](int block, int i, int j) {
    return product.c(block, i, j) + product.dot(block, i, block, j);
  });
}

TEST(Matrix, EachProductIsFusedIntoTheSum) {
  std::mt19937 random(6);
  Lanes a, b, c;
  for (unsigned lane = 0; lane < 64; ++lane) {
    a[lane] = std::bit_cast<uint32_t>(std::ldexp(1.0f, static_cast<int>(random() % 9)) +
                                      static_cast<float>(random() % 997) / 991);
    b[lane] = std::bit_cast<uint32_t>(static_cast<float>(random() % 1009) / -1013);
    c[lane] = std::bit_cast<uint32_t>(static_cast<float>(random() % 887) / 7);
  }
  Snippet snippet("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 3\n" // has no influence
                  "v_mfma_f32_16x16x4f32 v[0:3], v40, v44, v[0:3]");
  snippet.vector(kA, a).vector(kB, b).wantVectors(0, 4);
  for (unsigned index = 0; index < 4; ++index) {
    snippet.vector(index, c);
  }
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    for (unsigned index = 0; index < 4; ++index) {
      float sum = std::bit_cast<float>(c[lane]);
      for (unsigned k = 0; k < 4; ++k) {
        sum = std::fma(std::bit_cast<float>(a[16 * k + 4 * (lane / 16) + index]),
                       std::bit_cast<float>(b[16 * k + lane % 16]), sum);
      }
      EXPECT_EQ(snippet.vectorOut(index)[lane], std::bit_cast<uint32_t>(sum));
    }
  }
}

TEST(Matrix, DenormalsOfHalvesAreZeroAndThoseOfSinglesAreNot) {
  Snippet snippet("v_mfma_f32_4x4x4f16 v[0:3], v[40:41], v[42:43], 0\n"
                  "v_mfma_f32_4x4x2bf16 v[4:7], v44, v45, 0\n"
                  "v_mfma_f32_4x4x1f32 v[8:11], v46, v47, 0\n"
                  "v_mfma_f32_4x4x4f16 v[12:15], v[42:43], v[42:43], v[20:23]\n");
  snippet.vector(40, 0x00003ff).vector(41, 0).vector(42, 0x00004400).vector(43, 0);
  snippet.vector(44, 0x0000007f).vector(45, 0x00003f80);
  snippet.vector(46, 0x00000003).vector(47, 0x40000000);
  for (unsigned index = 20; index < 24; ++index) {
    snippet.vector(index, 0xc1800001); // -16 and a bit: the sum is tiny, not zero
  }
  snippet.wantVectors(0, 16);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(0)[9], 0u);
  EXPECT_EQ(snippet.vectorOut(4)[9], 0u);
  EXPECT_EQ(snippet.vectorOut(8)[9], 6u);
  EXPECT_EQ(snippet.vectorOut(12)[9], 0xb6000000u);
}

TEST(Matrix, BytesAreSignedAndSumsWrap) {
  Snippet snippet("v_mfma_i32_4x4x4i8 v[0:3], v40, v44, v[0:3]");
  snippet.vector(kA, 0x807f80ff).vector(kB, 0x8080807f).wantVectors(0, 4);
  for (unsigned index = 0; index < 4; ++index) {
    snippet.vector(index, 0x7fffffff);
  }
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  constexpr int kSum = -1 * 127 + 128 * 128 - 127 * 128 + 128 * 128;
  EXPECT_EQ(snippet.vectorOut(2)[17], 0x7fffffffu + static_cast<uint32_t>(kSum));
}

TEST(Matrix, NanStaysInItsRowAndColumn) {
  const MatrixCase& test = caseOf("v_mfma_f32_16x16x4f32");
  Lanes a, b;
  a.fill(0x3f800000);
  b.fill(0x3f800000);
  a[16 * 2 + 5] = 0x7fc12345; // row 5
  b[16 * 1 + 3] = 0x7f800000; // column 3
  Snippet snippet("v_mfma_f32_16x16x4f32 v[0:3], v40, v44, 0");
  snippet.vector(kA, a).vector(kB, b).wantVectors(0, 4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 16; ++j) {
      const auto bits = static_cast<uint32_t>(get(snippet, resultPlace(test, 0, i, j), false));
      EXPECT_EQ(bits, i == 5 ? 0x7fc12345u : j == 3 ? 0x7f800000u : 0x40800000u) << i << ' ' << j;
    }
  }
}

} // namespace
} // namespace gpusim::test
