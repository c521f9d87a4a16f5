// Memory operations that RDNA has and gfx9 has not: floating-point atomics, subtraction down to
// zero, and rows of dwords that need no address in a register.
#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "edge_values.h"

namespace gpusim::test {
namespace {

constexpr uint64_t kData = Snippet::kData;

/// The mnemonics that differ, and how a processor of RDNA is asked for old values.
struct Processor {
  const char* name;
  const char* floatMinimum;
  const char* floatMaximum;
  const char* floatCompareSwap;
  const char* subtractToZero;
  const char* load;
  const char* loadRow;
  const char* storeRow;
};
constexpr Processor kProcessors[] = {
    {"gfx1030", "fmin", "fmax", "fcmpswap", "csub", "load_dword", "load_dword_addtid",
     "store_dword_addtid"},
    {"gfx1100", "min_f32", "max_f32", "cmpswap_f32", "csub_u32", "load_b32", "load_addtid_b32",
     "store_addtid_b32"},
};

Snippet on(const Processor& processor, const std::string& text, unsigned lanes) {
  Snippet snippet(text);
  snippet.processor(processor.name).lanes(lanes);
  snippet.memory.map(kData, 1u << 16);
  return snippet;
}

/// A raw buffer over the data block, in s[4:7].
Snippet& withBuffer(Snippet& snippet, const Processor& processor) {
  const bool third = std::string_view(processor.name) == "gfx1100";
  snippet.scalar(4, static_cast<uint32_t>(kData)).scalar(5, static_cast<uint32_t>(kData >> 32));
  return snippet.scalar(6, 4096).scalar(7, third ? 0x31014fac : 0x31014000);
}

/// Singles in which equal numbers, zeros of both signs and NaNs meet.
Lanes singles(unsigned salt) {
  constexpr float kValues[] = {0.0f, -0.0f, 1.5f, -1.5f, NAN, INFINITY, -INFINITY, 3e-41f};
  std::mt19937 random(salt);
  Lanes lanes;
  for (uint32_t& lane : lanes) {
    lane = std::bit_cast<uint32_t>(kValues[random() % std::size(kValues)]);
  }
  return lanes;
}

float asFloat(uint32_t bits) {
  return std::bit_cast<float>(bits);
}

/// An atomic with its model; `values` registers of data from v2 on.
struct Case {
  std::string name;
  unsigned values;
  uint32_t (*expected)(uint32_t old, uint32_t value, uint32_t compared);
};

std::vector<Case> casesOf(const Processor& processor) {
  return {
      {processor.floatMinimum, 1,
       [](uint32_t old, uint32_t value, uint32_t) {
         if (std::isnan(asFloat(old))) {
           return value;
         }
         return asFloat(value) < asFloat(old) ? value : old;
       }},
      {processor.floatMaximum, 1,
       [](uint32_t old, uint32_t value, uint32_t) {
         if (std::isnan(asFloat(old))) {
           return value;
         }
         return asFloat(value) > asFloat(old) ? value : old;
       }},
      {processor.floatCompareSwap, 2,
       [](uint32_t old, uint32_t value, uint32_t compared) {
         return asFloat(old) == asFloat(compared) ? value : old;
       }},
      {processor.subtractToZero, 1,
       [](uint32_t old, uint32_t value, uint32_t) { return value > old ? 0 : old - value; }},
  };
}

/// Bits, but zeros of either sign and NaNs of any kind are alike: what a minimum of equals returns
/// is not said.
bool sameNumber(uint32_t a, uint32_t b) {
  return a == b || asFloat(a) == asFloat(b) || (std::isnan(asFloat(a)) && std::isnan(asFloat(b)));
}

void checkAtomic(const Processor& processor, const Case& atomic, bool buffer, unsigned lanes,
                 uint64_t mask) {
  const std::string data = atomic.values == 2 ? "v[2:3]" : "v2";
  const std::string text =
      buffer ? "buffer_atomic_" + atomic.name + " " + data + ", v1, s[4:7], 0 offen glc\n"
             : "global_atomic_" + atomic.name + " v2, v1, " + data + ", s[60:61] glc\n";
  const Lanes old = singles(90), value = singles(91), compared = singles(92);
  Lanes offsets;
  Snippet snippet = on(processor, text, lanes);
  for (unsigned lane = 0; lane < 64; ++lane) {
    offsets[lane] = 4 * lane;
    snippet.memory.write(kData + offsets[lane], old[lane]);
  }
  withBuffer(snippet, processor).vector(1, offsets).vector(2, value).vector(3, compared);
  snippet.exec(mask).wantVectors(2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const bool active = (mask >> lane & 1) != 0;
    EXPECT_EQ(snippet.vectorOut(2)[lane], active ? old[lane] : value[lane]) << text << lane;
    const auto stored = snippet.memory.read<uint32_t>(kData + 4 * lane);
    const uint32_t expected =
        active ? atomic.expected(old[lane], value[lane], compared[lane]) : old[lane];
    EXPECT_TRUE(sameNumber(stored, expected)) << text << lane << ": " << stored;
  }
}

TEST(RdnaMemory, AtomicsOnNumbersReturnTheOldValueUnderEveryMask) {
  for (const Processor& processor : kProcessors) {
    for (const Case& atomic : casesOf(processor)) {
      for (const unsigned lanes : {32u, 64u}) {
        for (const uint64_t mask : kMasks) {
          checkAtomic(processor, atomic, false, lanes, mask);
          checkAtomic(processor, atomic, true, lanes, mask);
        }
      }
    }
  }
}

TEST(RdnaMemory, DoublesAreComparedAsNumbers) {
  Snippet snippet("v_mov_b32 v1, 0\n"
                  "global_atomic_fcmpswap_x2 v[10:11], v1, v[2:5], s[60:61] glc\n"
                  "global_atomic_fmin_x2 v1, v[6:7], s[60:61] offset:8\n"
                  "buffer_atomic_fmax_x2 v[6:7], v1, s[4:7], 0 offen offset:16\n");
  snippet.processor("gfx1030").lanes(32).exec(1);
  snippet.memory.map(kData, 4096);
  snippet.memory.write(kData, 0.0);
  snippet.memory.write(kData + 8, 2.0);
  snippet.memory.write(kData + 16, 2.0);
  const auto doubles = [&](unsigned index, double value) {
    const auto bits = std::bit_cast<uint64_t>(value);
    snippet.vector(index, static_cast<uint32_t>(bits));
    snippet.vector(index + 1, static_cast<uint32_t>(bits >> 32));
  };
  doubles(2, 1e300);
  doubles(4, -0.0); // equals what is there
  doubles(6, -7.5);
  withBuffer(snippet, kProcessors[0]).wantVectors(10, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(10)[0], 0u);
  EXPECT_EQ(snippet.vectorOut(11)[0], 0u);
  EXPECT_EQ(snippet.memory.read<double>(kData), 1e300);
  EXPECT_EQ(snippet.memory.read<double>(kData + 8), -7.5);
  EXPECT_EQ(snippet.memory.read<double>(kData + 16), 2.0);
}

TEST(RdnaMemory, RowsOfDwordsStartAtTheScalarAddress) {
  const Lanes values = edgeLanes(93);
  for (const Processor& processor : kProcessors) {
    for (const unsigned lanes : {32u, 64u}) {
      for (const uint64_t mask : kMasks) {
        Snippet snippet =
            on(processor,
               std::string("global_") + processor.storeRow + " v2, s[60:61] offset:256\nglobal_" +
                   processor.loadRow + " v3, s[60:61] offset:256\nglobal_" + processor.loadRow +
                   " v4, s[60:61] offset:260\n",
               lanes);
        snippet.vector(2, values).vector(3, 7).vector(4, 7).exec(mask).wantVectors(3, 2);
        ASSERT_TRUE(snippet.run()) << snippet.fault().message;
        for (unsigned lane = 0; lane < lanes; ++lane) {
          const auto active = [&](unsigned other) {
            return other < lanes && (mask >> other & 1) != 0;
          };
          EXPECT_EQ(snippet.vectorOut(3)[lane], active(lane) ? values[lane] : 7u) << lane;
          const uint32_t next = active(lane + 1) ? values[lane + 1] : 0u;
          EXPECT_EQ(snippet.vectorOut(4)[lane], active(lane) ? next : 7u) << lane;
        }
      }
    }
  }
}

TEST(RdnaControl, RunningOverTheEndOfTheCodeIsAnIllegalInstruction) {
  Snippet snippet("v_pipeflush\ns_code_end\n");
  snippet.processor("gfx1030").lanes(32);
  ASSERT_FALSE(snippet.run());
  EXPECT_EQ(snippet.fault().kind, Fault::Kind::IllegalInstruction);
  EXPECT_NE(snippet.fault().message.find("s_code_end"), std::string::npos)
      << snippet.fault().message;
}

TEST(RdnaControl, TheEncodingThatIsInvalidForEverIsNoInstruction) {
  Snippet snippet(".long 0\n");
  snippet.processor("gfx1030").lanes(32);
  ASSERT_FALSE(snippet.run());
  EXPECT_EQ(snippet.fault().kind, Fault::Kind::IllegalInstruction) << snippet.fault().message;
}

} // namespace
} // namespace gpusim::test
