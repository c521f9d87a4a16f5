// The architectural state of a wave and of its workgroup.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "instruction.h"
#include "interpreter.h"
#include "lanes.h"

namespace gpusim {

class CodePage;
class Execution;

/// Indices into Wave::sgpr. Those below 128 are the hardware's own operand numbers; FLAT_SCRATCH
/// has such a number on some processors only.
namespace scalar {
inline constexpr uint16_t kXnackMask = 104;
inline constexpr uint16_t kVcc = 106;
inline constexpr uint16_t kTtmp = 108;
inline constexpr uint16_t kM0 = 124;
inline constexpr uint16_t kExec = 126;
inline constexpr uint16_t kSharedBase = 128;
inline constexpr uint16_t kSharedLimit = 130;
inline constexpr uint16_t kPrivateBase = 132;
inline constexpr uint16_t kPrivateLimit = 134;
inline constexpr uint16_t kScc = 136;
inline constexpr uint16_t kVccZero = 137; ///< up to date only while an instruction reads it
inline constexpr uint16_t kFlatScratch = 138;
inline constexpr uint16_t kNull = 140;     ///< where results written to `null` go; never read
inline constexpr uint16_t kExecZero = 142; ///< like kVccZero
inline constexpr uint16_t kCount = 143;
} // namespace scalar

/// Indices into Wave::vgpr.
namespace vector {
inline constexpr uint16_t kAccumulation = 256; ///< a0
inline constexpr uint16_t kTemporary = 512;    ///< operands rewritten by SDWA and DPP
inline constexpr uint16_t kCount = 520;
} // namespace vector

/// Bits of the MODE register.
namespace mode {
inline constexpr uint32_t kRound32 = 0x3;
inline constexpr uint32_t kRound64 = 0xc; ///< 16- and 64-bit operations
inline constexpr uint32_t kDenormal32 = 0x30;
inline constexpr uint32_t kDenormalIn32 = 0x10;
inline constexpr uint32_t kDenormalOut32 = 0x20;
inline constexpr uint32_t kDenormal64 = 0xc0;
inline constexpr uint32_t kDenormalIn64 = 0x40;
inline constexpr uint32_t kDenormalOut64 = 0x80;
inline constexpr uint32_t kDx10Clamp = 1u << 8;
inline constexpr uint32_t kIeee = 1u << 9;
inline constexpr uint32_t kFp16Overflow = 1u << 23;
inline constexpr uint32_t kIndexing = 1u << 27;
} // namespace mode

/// What the waves of a workgroup share.
struct Workgroup {
  uint32_t id[3] = {};
  uint32_t liveWaves = 0;
  uint32_t waitingWaves = 0; ///< at the barrier
  std::vector<std::byte> lds;
};

struct Wave {
  alignas(64) uint32_t vgpr[vector::kCount][kLanes];
  uint32_t sgpr[scalar::kCount];
  const Instruction* next;
  const CodePage* page; ///< holds `next`
  Workgroup* group;
  Execution* execution;
  uint32_t mode;
  uint32_t scratchSlot;
  uint32_t idInGroup;
  uint64_t laneMask;       ///< the lanes a wave of this size has
  uint8_t lanes;           ///< 64, or 32 on RDNA; registers have room for 64 in any case
  uint8_t indexedOperands; ///< VGPR indexing mode: bits SRC0, SRC1, SRC2, DST; 0 when off
  uint8_t syncResource;    ///< of Step::WaitAll

  uint64_t pair(unsigned index) const noexcept {
    return sgpr[index] | static_cast<uint64_t>(sgpr[index + 1]) << 32;
  }
  void setPair(unsigned index, uint64_t value) noexcept {
    sgpr[index] = static_cast<uint32_t>(value);
    sgpr[index + 1] = static_cast<uint32_t>(value >> 32);
  }
  uint64_t exec() const noexcept { return pair(scalar::kExec) & laneMask; }
  uint64_t vcc() const noexcept { return pair(scalar::kVcc) & laneMask; }
  /// EXEC_HI is left alone in a wave of 32 lanes.
  void setExec(uint64_t mask) noexcept {
    sgpr[scalar::kExec] = static_cast<uint32_t>(mask);
    if (lanes == kLanes) {
      sgpr[scalar::kExec + 1] = static_cast<uint32_t>(mask >> 32);
    }
  }
  bool scc() const noexcept { return sgpr[scalar::kScc] != 0; }
  void setScc(bool value) noexcept { sgpr[scalar::kScc] = value ? 1 : 0; }
};

} // namespace gpusim
