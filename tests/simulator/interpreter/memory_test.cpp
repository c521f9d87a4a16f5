// Vector and scalar memory instructions: widths, extension, addressing, bounds and faults.
#include <map>

#include <gtest/gtest.h>

#include "atomic_reference.h"
#include "edge_values.h"

namespace gpusim::test {
namespace {

constexpr uint64_t kData = Snippet::kData;

/// Byte offsets of the lanes, `stride` apart.
Lanes offsets(uint32_t stride) {
  Lanes lanes;
  for (unsigned lane = 0; lane < 64; ++lane) {
    lanes[lane] = lane * stride;
  }
  return lanes;
}

/// A snippet whose data block holds distinct bytes.
Snippet withData(const std::string& text) {
  Snippet snippet(text);
  snippet.memory.map(kData, 1u << 16);
  for (uint32_t index = 0; index < 1u << 14; ++index) {
    snippet.memory.write(kData + 4 * index, index * 2654435761u + 12345);
  }
  return snippet;
}

TEST(GlobalLoad, EveryWidthAndExtension) {
  Snippet snippet = withData("global_load_dword v4, v1, s[60:61]\n"
                             "global_load_dwordx4 v[6:9], v1, s[60:61] offset:4\n"
                             "global_load_dwordx3 v[10:12], v1, s[60:61] offset:-4\n"
                             "global_load_ubyte v14, v1, s[60:61] offset:3\n"
                             "global_load_sbyte v15, v1, s[60:61] offset:3\n"
                             "global_load_ushort v16, v1, s[60:61] offset:2\n"
                             "global_load_sshort v17, v1, s[60:61] offset:2\n"
                             "global_load_short_d16 v18, v1, s[60:61]\n"
                             "global_load_short_d16_hi v19, v1, s[60:61]\n"
                             "global_load_sbyte_d16_hi v20, v1, s[60:61]\n"
                             "s_waitcnt vmcnt(0)");
  Lanes offset = offsets(20);
  for (uint32_t& each : offset) {
    each += 4;
  }
  snippet.vector(1, offset).vector(18, 0xaaaabbbb).vector(19, 0xaaaabbbb).vector(20, 0xaaaabbbb);
  snippet.exec(0xffff0000ffff00f1).vector(4, 7).wantVectors(4).wantVectors(6, 7).wantVectors(14, 7);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(4)[1], 7u); // not in EXEC
  for (const unsigned lane : {0u, 4u, 16u, 31u, 63u}) {
    const uint64_t at = kData + offset[lane];
    const auto word = [&](int index) {
      return snippet.memory.read<uint32_t>(at + static_cast<uint64_t>(4 * index));
    };
    EXPECT_EQ(snippet.vectorOut(4)[lane], word(0));
    for (int index = 0; index < 4; ++index) {
      EXPECT_EQ(snippet.vectorOut(6 + static_cast<unsigned>(index))[lane], word(index + 1));
    }
    for (int index = 0; index < 3; ++index) {
      EXPECT_EQ(snippet.vectorOut(10 + static_cast<unsigned>(index))[lane], word(index - 1));
    }
    const auto byte = snippet.memory.read<uint8_t>(at + 3);
    const auto half = snippet.memory.read<uint16_t>(at + 2);
    const auto low = snippet.memory.read<uint16_t>(at);
    EXPECT_EQ(snippet.vectorOut(14)[lane], byte);
    EXPECT_EQ(snippet.vectorOut(15)[lane], static_cast<uint32_t>(static_cast<int8_t>(byte)));
    EXPECT_EQ(snippet.vectorOut(16)[lane], half);
    EXPECT_EQ(snippet.vectorOut(17)[lane], static_cast<uint32_t>(static_cast<int16_t>(half)));
    EXPECT_EQ(snippet.vectorOut(18)[lane], low);
    EXPECT_EQ(snippet.vectorOut(19)[lane], static_cast<uint32_t>(low) << 16);
    const auto extended = static_cast<uint16_t>(static_cast<int8_t>(low & 0xff));
    EXPECT_EQ(snippet.vectorOut(20)[lane], static_cast<uint32_t>(extended) << 16);
  }
}

TEST(GlobalStore, WritesExactlyItsBytesInActiveLanes) {
  Snippet snippet("global_store_byte v1, v2, s[60:61] offset:1\n"
                  "global_store_short_d16_hi v1, v2, s[60:61] offset:2\n"
                  "global_store_dwordx2 v1, v[2:3], s[60:61] offset:8\n");
  const Lanes low = edgeLanes(1);
  const Lanes high = edgeLanes(2);
  constexpr uint64_t kMask = 0x1234567812345679;
  snippet.vector(1, offsets(16)).vector(2, low).vector(3, high).exec(kMask);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const bool active = (kMask >> lane & 1) != 0;
    const uint64_t at = kData + 16 * lane;
    EXPECT_EQ(snippet.memory.read<uint32_t>(at),
              active ? (low[lane] & 0xff) << 8 | (low[lane] & 0xffff0000) : 0u);
    EXPECT_EQ(snippet.memory.read<uint32_t>(at + 4), 0u);
    EXPECT_EQ(snippet.memory.read<uint32_t>(at + 8), active ? low[lane] : 0u);
    EXPECT_EQ(snippet.memory.read<uint32_t>(at + 12), active ? high[lane] : 0u);
  }
}

TEST(GlobalLoad, AccessAcrossTwoMappingsIsWhole) {
  Snippet snippet("global_load_dword v4, v1, s[60:61] offset:2\n");
  snippet.memory.map(kData, 4096);
  snippet.memory.map(kData + 4096, 4096);
  snippet.memory.write(kData + 4092, 0x44332211u);
  snippet.memory.write(kData + 4096, 0x88776655u);
  snippet.vector(1, 4092).wantVectors(4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(4)[9], 0x66554433u);
}

TEST(GlobalLoad, FaultNamesLaneAddressOnlyForActiveLanes) {
  Lanes offset = offsets(4);
  offset[5] = 0x7fff0000;
  offset[9] = 0x7ff00000;
  Snippet inactive("global_load_dword v4, v1, s[60:61]\n");
  inactive.vector(1, offset).exec(~(uint64_t{1} << 5 | uint64_t{1} << 9));
  EXPECT_TRUE(inactive.run()) << inactive.fault().message;
  Snippet active("global_load_dword v4, v1, s[60:61]\n");
  active.vector(1, offset).exec(~(uint64_t{1} << 5));
  ASSERT_FALSE(active.run());
  EXPECT_EQ(active.fault().kind, Fault::Kind::MemoryViolation);
  EXPECT_EQ(active.fault().address, kData + 0x7ff00000);
  EXPECT_FALSE(active.fault().isWrite);
  EXPECT_NE(active.fault().message.find("lane 9"), std::string::npos) << active.fault().message;
}

TEST(ScalarLoad, WidthsAndOffsets) {
  Snippet snippet = withData("s_load_dword s4, s[60:61], 0x14\ns_mov_b32 s3, 32\n"
                             "s_load_dwordx4 s[8:11], s[60:61], s3\n"
                             "s_load_dwordx8 s[16:23], s[60:61], 0x0\n"
                             "s_mov_b32 s24, s60\ns_mov_b32 s25, s61\ns_mov_b32 s26, 24\n"
                             "s_mov_b32 s27, 0\ns_buffer_load_dwordx4 s[28:31], s[24:27], 0x10\n"
                             "s_waitcnt lgkmcnt(0)");
  snippet.wantScalars(4).wantScalars(8, 4).wantScalars(16, 8).wantScalars(28, 4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  const auto word = [&](uint32_t index) {
    return snippet.memory.read<uint32_t>(kData + 4 * index);
  };
  EXPECT_EQ(snippet.scalarOut(4), word(5));
  for (unsigned index = 0; index < 4; ++index) {
    EXPECT_EQ(snippet.scalarOut(8 + index), word(8 + index));
    // The buffer has 24 bytes: what lies behind reads as 0.
    EXPECT_EQ(snippet.scalarOut(28 + index), index < 2 ? word(4 + index) : 0u);
  }
  for (unsigned index = 0; index < 8; ++index) {
    EXPECT_EQ(snippet.scalarOut(16 + index), word(index));
  }
}

const char* const kBufferSetup = "s_mov_b32 s4, s60\ns_mov_b32 s5, s61\ns_mov_b32 s6, {}\n"
                                 "s_mov_b32 s7, 0x27000\n";

std::string bufferOf(uint32_t bytes, const std::string& text) {
  std::string setup = kBufferSetup;
  return setup.replace(setup.find("{}"), 2, std::to_string(bytes)) + text;
}

TEST(BufferMemory, OutOfRangeReadsZeroAndDropsStores) {
  Snippet snippet = withData(bufferOf(128, "buffer_load_dword v4, v1, s[4:7], 0 offen offset:4\n"
                                           "buffer_store_dword v2, v1, s[4:7], 0 offen\n"
                                           "s_waitcnt vmcnt(0)"));
  const Lanes values = edgeLanes(9);
  snippet.vector(1, offsets(4)).vector(2, values).wantVectors(4);
  const uint32_t behind = 32 * 2654435761u + 12345;
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const uint32_t loaded = lane < 31 ? (lane + 1) * 2654435761u + 12345 : 0;
    EXPECT_EQ(snippet.vectorOut(4)[lane], loaded) << lane;
  }
  EXPECT_EQ(snippet.memory.read<uint32_t>(kData + 4 * 31), values[31]);
  EXPECT_EQ(snippet.memory.read<uint32_t>(kData + 4 * 32), behind);
}

/// Private memory through a swizzled buffer and through scratch and flat instructions is the same.
TEST(PrivateMemory, BufferScratchAndFlatInstructionsAgree) {
  Snippet snippet("s_mov_b32 s4, 0x00300000\ns_mov_b32 s5, 0x80007f00\ns_mov_b32 s6, 0x10000\n"
                  "s_mov_b32 s7, 0x00e27000\n"
                  "s_mov_b32 flat_scratch_lo, s4\ns_mov_b32 flat_scratch_hi, 0x7f00\n"
                  "buffer_store_dword v1, off, s[4:7], 0 offset:8\n"
                  "buffer_store_dword v2, v3, s[4:7], 0 offen offset:16\n"
                  "s_mov_b32 s8, 8\n"
                  "scratch_load_dword v4, off, s8\n"
                  "scratch_load_dword v5, v3, off offset:16\n"
                  "s_mov_b64 s[10:11], src_private_base\n"
                  "v_mov_b32 v6, 8\nv_mov_b32 v7, s11\n"
                  "flat_load_dword v8, v[6:7]\n"
                  "scratch_store_byte off, v1, s8 offset:2\n"
                  "flat_load_dword v9, v[6:7]\n"
                  "scratch_store_dwordx2 off, v[12:13], s8 offset:64\n"
                  "buffer_load_dword v10, off, s[4:7], 0 offset:76\n");
  const Lanes first = edgeLanes(20);
  const Lanes second = edgeLanes(21);
  Lanes own;
  for (unsigned lane = 0; lane < 64; ++lane) {
    own[lane] = lane % 5 * 4;
  }
  snippet.vector(1, first).vector(2, second).vector(3, own).vector(12, first).vector(13, second);
  snippet.wantVectors(4, 2).wantVectors(8, 3);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(4), first);
  EXPECT_EQ(snippet.vectorOut(5), second);
  EXPECT_EQ(snippet.vectorOut(8), first);
  EXPECT_EQ(snippet.vectorOut(10), second);
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(snippet.vectorOut(9)[lane], (first[lane] & 0xff00ffff) | (first[lane] & 0xff) << 16)
        << lane;
  }
}

/// Arrays in private memory: all active lanes at one offset, and what inactive lanes hold is no
/// offset.
TEST(PrivateMemory, ArrayElementsOfOneOffsetAreEachLanesOwn) {
  constexpr uint64_t kMask = 0xfedcba9876543210;
  Snippet snippet("s_mov_b32 s4, 0x00300000\ns_mov_b32 s5, 0x80007f00\ns_mov_b32 s6, 0x10000\n"
                  "s_mov_b32 s7, 0x00e27000\n"
                  "s_mov_b32 flat_scratch_lo, s4\ns_mov_b32 flat_scratch_hi, 0x7f00\n"
                  "scratch_store_dwordx4 v3, v[12:15], off offset:32\n"
                  "buffer_load_dwordx4 v[4:7], v3, s[4:7], 0 offen offset:32\n"
                  "buffer_store_dwordx2 v[6:7], v3, s[4:7], 0 offen offset:64\n"
                  "scratch_load_dwordx2 v[8:9], v3, off offset:64\n"
                  "buffer_load_ushort v10, v3, s[4:7], 0 offen offset:34\n"
                  "buffer_load_dword v11, v3, s[4:7], 0 offen offset:38\n");
  Lanes offset = edgeLanes(30);
  for (unsigned lane = 0; lane < 64; ++lane) {
    if ((kMask >> lane & 1) != 0) {
      offset[lane] = 48;
    }
  }
  const Lanes data[] = {edgeLanes(31), edgeLanes(32), edgeLanes(33), edgeLanes(34)};
  for (unsigned word = 0; word < 4; ++word) {
    snippet.vector(12 + word, data[word]);
  }
  for (unsigned index = 4; index < 12; ++index) {
    snippet.vector(index, 7);
  }
  snippet.vector(3, offset).exec(kMask).wantVectors(4, 8);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const bool active = (kMask >> lane & 1) != 0;
    for (unsigned word = 0; word < 4; ++word) {
      EXPECT_EQ(snippet.vectorOut(4 + word)[lane], active ? data[word][lane] : 7) << lane;
    }
    EXPECT_EQ(snippet.vectorOut(8)[lane], active ? data[2][lane] : 7) << lane;
    EXPECT_EQ(snippet.vectorOut(9)[lane], active ? data[3][lane] : 7) << lane;
    EXPECT_EQ(snippet.vectorOut(10)[lane], active ? data[0][lane] >> 16 : 7) << lane;
    const uint32_t unaligned = data[1][lane] >> 16 | data[2][lane] << 16;
    EXPECT_EQ(snippet.vectorOut(11)[lane], active ? unaligned : 7) << lane;
  }
}

/// clang addresses an array from its end: a negative register and the end as the immediate offset.
TEST(PrivateMemory, NegativeIndicesFromTheEndOfAnArrayWrap) {
  constexpr uint32_t kEnd = 136;
  for (const bool oneOffset : {false, true}) {
    Snippet snippet("s_mov_b32 s4, 0x00300000\ns_mov_b32 s5, 0x80007f00\ns_mov_b32 s6, 0x10000\n"
                    "s_mov_b32 s7, 0x00e27000\n"
                    "buffer_store_dword v1, v3, s[4:7], 0 offen offset:136\n"
                    "buffer_load_dword v4, v3, s[4:7], 0 offen offset:136\n"
                    "buffer_load_dword v5, v2, s[4:7], 0 offen\n");
    Lanes fromEnd;
    Lanes fromStart;
    for (unsigned lane = 0; lane < 64; ++lane) {
      const uint32_t back = 8 * (oneOffset ? 3 : 1 + lane % 17);
      fromEnd[lane] = 0 - back;
      fromStart[lane] = kEnd - back;
    }
    const Lanes data = edgeLanes(35);
    snippet.vector(1, data).vector(2, fromStart).vector(3, fromEnd).wantVectors(4, 2);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    EXPECT_EQ(snippet.vectorOut(4), data) << oneOffset;
    EXPECT_EQ(snippet.vectorOut(5), data) << oneOffset;
  }
}

TEST(LocalMemory, PairsAndWidthsShareOneLayout) {
  Snippet snippet("v_lshlrev_b32 v3, 1, v1\n"
                  "ds_write_b64 v3, v[4:5]\n"
                  "ds_read2_b32 v[6:7], v3 offset0:1 offset1:0\n"
                  "ds_write2st64_b32 v1, v4, v5 offset0:2 offset1:4\n"
                  "ds_read_b32 v8, v1 offset:512\nds_read_b32 v9, v1 offset:1024\n"
                  "ds_read_u16 v10, v3 offset:2\nds_read_i8 v11, v3 offset:7\n");
  const Lanes low = edgeLanes(30);
  const Lanes high = edgeLanes(31);
  snippet.vector(1, offsets(4)).vector(4, low).vector(5, high).ldsBytes(2048);
  snippet.wantVectors(6, 6);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(6), high);
  EXPECT_EQ(snippet.vectorOut(7), low);
  EXPECT_EQ(snippet.vectorOut(8), low);
  EXPECT_EQ(snippet.vectorOut(9), high);
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(snippet.vectorOut(10)[lane], low[lane] >> 16) << lane;
    EXPECT_EQ(snippet.vectorOut(11)[lane],
              static_cast<uint32_t>(static_cast<int8_t>(high[lane] >> 24)))
        << lane;
  }
}

TEST(LocalMemory, NegativeBaseWithPositiveOffsetWraps) {
  Snippet snippet("v_sub_u32 v3, 0, v1\nds_write_b32 v1, v2\nds_read_b32 v4, v3 offset:252\n"
                  "ds_add_rtn_u32 v5, v3, v2 offset:252\n");
  const Lanes values = edgeLanes(35);
  snippet.vector(1, offsets(4)).vector(2, values).ldsBytes(512).wantVectors(4, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(snippet.vectorOut(4)[lane], values[63 - lane]);
    EXPECT_EQ(snippet.vectorOut(5)[lane], values[63 - lane]);
  }
}

// Where registers have ECC they are written whole, and hand-written kernels join halves with v_or_b32.
TEST(HalfLoads, TheOtherHalfIsKeptOrBecomesZeroByProcessor) {
  for (const auto& [processor, kept] : std::map<std::string, uint32_t>{
           {"gfx906", 0xaaaabbbb}, {"gfx908", 0}, {"gfx90a", 0}, {"gfx942", 0}}) {
    Snippet snippet("ds_write_b32 v1, v2\nds_read_u16_d16 v4, v1\nds_read_u16_d16_hi v5, v1\n"
                    "global_store_dword v1, v2, s[60:61]\ns_waitcnt vmcnt(0)\n"
                    "global_load_short_d16 v6, v1, s[60:61]\n"
                    "global_load_short_d16_hi v7, v1, s[60:61]\n"
                    "s_mov_b32 s6, -1\ns_mov_b32 s7, 0x27000\ns_mov_b64 s[4:5], s[60:61]\n"
                    "buffer_load_short_d16 v8, v1, s[4:7], 0 offen\n"
                    "buffer_load_short_d16_hi v9, v1, s[4:7], 0 offen\n");
    snippet.processor(processor).memory.map(kData, 1u << 16);
    const Lanes values = edgeLanes(37);
    snippet.vector(1, offsets(4)).vector(2, values).ldsBytes(256).wantVectors(4, 6);
    for (unsigned index = 4; index < 10; ++index) {
      snippet.vector(index, 0xaaaabbbb);
    }
    ASSERT_TRUE(snippet.run()) << processor << snippet.fault().message;
    for (unsigned lane = 0; lane < 64; ++lane) {
      const uint32_t half = values[lane] & 0xffff;
      for (unsigned index = 4; index < 10; index += 2) {
        EXPECT_EQ(snippet.vectorOut(index)[lane], (kept & 0xffff0000) | half) << processor << index;
        EXPECT_EQ(snippet.vectorOut(index + 1)[lane], (kept & 0xffff) | half << 16)
            << processor << index;
      }
    }
  }
}

TEST(LocalMemory, AccessBehindTheAllocationIsAFault) {
  Snippet snippet("ds_read_b64 v[4:5], v1 offset:4");
  snippet.vector(1, offsets(8)).ldsBytes(512);
  ASSERT_FALSE(snippet.run());
  EXPECT_EQ(snippet.fault().kind, Fault::Kind::ApertureViolation);
  EXPECT_NE(snippet.fault().message.find("lane 63"), std::string::npos) << snippet.fault().message;
}

TEST(LocalMemory, AccessBehindTheAllocationLoadsZeroAndStoresNothingWhereThatIsWanted) {
  // The upper half of the lanes is beyond 512 bytes; what they store must not come back to them.
  Snippet snippet(
      "ds_write_b32 v1, v2\nds_read_b32 v4, v1\nds_add_rtn_u32 v5, v1, v2\n"
      "v_mov_b32 v6, 0xf00000\nds_read_b64 v[8:9], v6\nds_read2_b32 v[10:11], v1 offset1:16");
  const Lanes values = edgeLanes(36);
  snippet.vector(1, offsets(16)).vector(2, values).ldsBytes(512).wantVectors(4, 2);
  snippet.wantVectors(8, 4).localOverrun(LocalOverrun::Discard);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(snippet.vectorOut(4)[lane], lane < 32 ? values[lane] : 0);
    EXPECT_EQ(snippet.vectorOut(5)[lane], lane < 32 ? values[lane] : 0);
    EXPECT_EQ(snippet.vectorOut(8)[lane] | snippet.vectorOut(9)[lane], 0U);
    EXPECT_EQ(snippet.vectorOut(10)[lane], lane < 32 ? values[lane] * 2 : 0);
    EXPECT_EQ(snippet.vectorOut(11)[lane], lane < 28 ? values[lane + 4] * 2 : 0);
  }
}

TEST(LocalMemory, FlatAddressesReachIt) {
  Snippet snippet("ds_write_b32 v1, v2\ns_mov_b64 s[4:5], src_shared_base\n"
                  "v_mov_b32 v4, v1\nv_mov_b32 v5, s5\nflat_load_dword v6, v[4:5]\n"
                  "flat_atomic_add v7, v[4:5], v2 glc\nds_read_b32 v8, v1\n");
  const Lanes values = edgeLanes(33);
  snippet.vector(1, offsets(4)).vector(2, values).ldsBytes(512).wantVectors(6, 3);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(6), values);
  EXPECT_EQ(snippet.vectorOut(7), values);
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(snippet.vectorOut(8)[lane], 2 * values[lane]);
  }
}

TEST(GlobalAtomic, ReturnsTheOldValueAndUpdatesMemory) {
  const Lanes old = edgeLanes(40);
  const Lanes value = edgeLanes(41);
  for (const Atomic& atomic : kAtomics) {
    Snippet snippet("global_store_dword v1, v3, s[60:61]\nglobal_atomic_" +
                    std::string(atomic.name) +
                    " v4, v1, v2, s[60:61] glc\nglobal_load_dword v5, v1, s[60:61]\n");
    snippet.vector(1, offsets(4)).vector(2, value).vector(3, old).wantVectors(4, 2);
    ASSERT_TRUE(snippet.run()) << snippet.fault().message;
    EXPECT_EQ(snippet.vectorOut(4), old) << atomic.name;
    for (unsigned lane = 0; lane < 64; ++lane) {
      EXPECT_EQ(snippet.vectorOut(5)[lane], atomic.expected(old[lane], value[lane])) << atomic.name;
    }
  }
}

TEST(GlobalAtomic, LanesOnOneAddressAddUp) {
  Snippet snippet("v_mov_b32 v4, 0\nv_mov_b32 v5, 0\n"
                  "global_atomic_add_x2 v[8:9], v1, v[2:3], s[60:61] glc\n"
                  "global_atomic_add v1, v2, s[60:61] offset:8\n");
  snippet.vector(1, 0).vector(2, 0x80000001).vector(3, 0).exec(0xffffff).wantVectors(8, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.memory.read<uint64_t>(kData), 24 * 0x80000001ull);
  EXPECT_EQ(snippet.memory.read<uint32_t>(kData + 8), 24u);
  EXPECT_EQ(snippet.vectorOut(8)[1], 0x80000001u);
  EXPECT_EQ(snippet.statistics().atomics, 2u);
}

TEST(GlobalAtomic, CompareAndSwapOrdersItsOperands) {
  Snippet snippet("global_atomic_cmpswap v4, v1, v[2:3], s[60:61] glc\n"
                  "global_atomic_cmpswap_x2 v1, v[6:9], s[60:61] offset:1024\n");
  Lanes expected;
  expected.fill(0);
  expected[3] = 99; // does not match
  snippet.vector(1, offsets(8)).vector(2, 55).vector(3, expected).vector(4, 1);
  snippet.vector(6, 7).vector(7, 8).vector(8, 0).vector(9, 0).wantVectors(4);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.memory.read<uint32_t>(kData), 55u);
  EXPECT_EQ(snippet.memory.read<uint32_t>(kData + 24), 0u);
  EXPECT_EQ(snippet.vectorOut(4)[0], 0u);
  EXPECT_EQ(snippet.memory.read<uint64_t>(kData + 1024 + 8), 0x800000007u);
}

TEST(GlobalAtomic, MisalignedIsAFault) {
  Snippet snippet("global_atomic_add v1, v2, s[60:61] offset:2\n");
  snippet.vector(1, 0).vector(2, 1);
  ASSERT_FALSE(snippet.run());
  EXPECT_EQ(snippet.fault().kind, Fault::Kind::ApertureViolation);
}

TEST(LocalAtomic, CompareAndSwapTakesTheExpectedValueFirst) {
  Snippet snippet("ds_write_b32 v1, v2\nds_cmpst_rtn_b32 v4, v1, v2, v3\nds_read_b32 v5, v1\n"
                  "ds_max_u32 v1, v6\nds_read_b32 v7, v1\nds_wrxchg_rtn_b32 v8, v1, v2\n");
  snippet.vector(1, offsets(4)).vector(2, 10).vector(3, 20).vector(6, 0xfffffff0).ldsBytes(512);
  snippet.wantVectors(4, 2).wantVectors(7, 2);
  ASSERT_TRUE(snippet.run()) << snippet.fault().message;
  EXPECT_EQ(snippet.vectorOut(4)[8], 10u);
  EXPECT_EQ(snippet.vectorOut(5)[8], 20u);
  EXPECT_EQ(snippet.vectorOut(7)[8], 0xfffffff0u);
  EXPECT_EQ(snippet.vectorOut(8)[8], 0xfffffff0u);
}

} // namespace
} // namespace gpusim::test
