// A decoded instruction: what the execution loop sees instead of bytes and text.
//
// HOW TO ADD A FAMILY
//  1. Create families/<family>.cpp with a constexpr table of `Opcode` and a function
//     `std::span<const Opcode> <family>Family()` declared in families/families.h; list the function
//     in the architectures that have it (architecture.cpp) and the file in CMakeLists.txt.
//  2. An entry names the mnemonic without its encoding suffix (_e32, _e64, _sdwa, _dpp), the
//  handler, the
//     operands in the order of the assembler text, and the modifiers the handler honours. Whatever
//     the text of an instruction has beyond that is refused when it is decoded, never ignored.
//  3. For an operation that is a pure function of its operands write only that function:
//     `laneOpcode<add>("v_add_u32")` (vector_operation.h) or `scalarOpcode<...>`
//     (scalar_operation.h) derives handler and operand types from its C++ signature. Everything
//     else is a handler `Step run(Wave&, const Instruction&)` that uses readLanes/writeLanes
//     (operand_access.h).
//     A row named `<mnemonic> glc` is preferred when the text has that modifier, or sc0: atomics
//     that return.
//  4. Handlers never see SDWA or DPP: the decoder puts a wrapper before them (operand_forms.h).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace gpusim {

struct Wave;
struct Instruction;

/// What a wave does after an instruction.
enum class Step : uint8_t {
  Continue, ///< go on with `Wave::next`
  Yield,    ///< the wave is runnable, but another one should have its turn (s_sleep)
  Wait,     ///< the wave waits at its workgroup's barrier
  WaitAll,  ///< the wave waits at the barrier `Wave::syncResource` of the dispatch
  Ended,    ///< s_endpgm
  Faulted,  ///< `Wave::execution->fault()` says why
};

using Handler = Step (*)(Wave&, const Instruction&);

/// How the bits of an operand are understood: decides the width of constants and where signs are.
enum class ValueType : uint8_t {
  Bits16,
  Float16,
  Bits32,
  Float32,
  Bits64, ///< 32-bit literals are zero-extended
  Int64,  ///< 32-bit literals are sign-extended
  Float64,
  BrainFloat16, ///< the upper half of a single
  PackedFloat16,
  PackedBrainFloat16,
  PackedFloat32, ///< two registers; constants fill the low one only
  LaneMask,      ///< a bit per lane: one scalar register, two in waves of 64 lanes
  Wide,          ///< register ranges of any length; no constants but `off`
};

/// One value of 16 bits.
constexpr bool isHalf(ValueType type) {
  return type == ValueType::Bits16 || type == ValueType::Float16 || type == ValueType::BrainFloat16;
}

/// Where an operand's bits come from, resolved once.
struct Operand {
  enum class Kind : uint8_t { None, Vector, Scalar, Constant };

  static constexpr uint8_t kNegate = 1;     ///< flip the sign (after kAbsolute)
  static constexpr uint8_t kAbsolute = 2;   ///< clear the sign
  static constexpr uint8_t kSignExtend = 4; ///< SDWA: the selected part is sign-extended
  static constexpr uint8_t kHighHalf = 8;   ///< op_sel: use (or write) bits 31..16
  static constexpr uint8_t kKeepOther = 16; ///< 16-bit results leave the other half as it was

  uint64_t constant = 0; ///< bits in the width of the operand's type
  uint16_t index = 0;    ///< into Wave::vgpr or Wave::sgpr
  Kind kind = Kind::None;
  uint8_t flags = 0;
  uint8_t registers = 0; ///< length of the register range in dwords
};

inline constexpr unsigned kMaxOperands = 5;

/// Text modifiers; an opcode lists those its handler honours.
enum Modifier : uint32_t {
  kClamp = 1u << 0,
  kOutputScale = 1u << 1, ///< mul:2, mul:4, div:2
  kSigns = 1u << 2,       ///< - and | | on sources
  kOpSel = 1u << 3,       ///< the decoder turns it into operand flags of 16-bit operands
  kOpSelHi = 1u << 4,
  kNegLo = 1u << 5, ///< neg_lo and neg_hi
  kOffset = 1u << 6,
  kOffsetPair = 1u << 7, ///< offset0, offset1
  kCacheBits = 1u << 8,  ///< glc, slc, scc, sc0, sc1, nt: hints, except that handlers may read glc
  kOffsetEnable = 1u << 9,     ///< offen
  kIndexEnable = 1u << 10,     ///< idxen
  kMatrix = 1u << 11,          ///< cbsz, abid, blgp
  kRawText = 1u << 12,         ///< the handler reads `encoding`; operand text is not parsed
  kGlobalDataShare = 1u << 14, ///< gds
  kNoIndexing = 1u << 13,      ///< not affected by VGPR indexing mode
  kBitTable = 1u << 15,        ///< bitop3
  kLaneBounds = 1u << 16,      ///< bound_ctrl and fi of permutes
};

enum class Role : uint8_t {
  None,
  Definition, ///< written (or read and written)
  Use,
  SignedImmediate,   ///< the encoding's 16-bit immediate, sign-extended
  UnsignedImmediate, ///< the same, zero-extended
};

struct OperandSpec {
  Role role = Role::None;
  ValueType type = ValueType::Bits32;
};

/// One row of a family's table.
struct Opcode {
  std::string_view mnemonic;
  Handler run = nullptr;
  std::array<OperandSpec, kMaxOperands> operands{};
  uint32_t modifiers = 0;
  Handler runClamped = nullptr; ///< when not null: replaces `run` if the text says `clamp`
};

using Family = std::span<const Opcode>;

/// Fields of SDWA and DPP encodings, for the wrapper.
struct FormFields {
  uint32_t encoding = 0;      ///< the dword that holds them
  uint32_t laneSelectors = 0; ///< DPP8: three bits for each of eight lanes
  uint16_t dppControl = 0;
  uint8_t rowMask = 0xf;
  uint8_t bankMask = 0xf;
  bool boundControl = false;
  bool fetchInactive = false;
  uint8_t destinationSelect = 6;
  uint8_t destinationUnused = 0;
  uint8_t sourceSelect[2] = {6, 6};
};

/// A slot of a code page. `run` is null until the instruction is first reached; it is published
/// last (release) so that queues can share pages without a lock.
struct alignas(64) Instruction {
  Handler run = nullptr;
  Handler inner = nullptr;             ///< the handler behind a wrapper
  const Instruction* second = nullptr; ///< the other operation of a dual instruction
  const Opcode* opcode = nullptr;
  uint64_t encoding = 0; ///< first eight bytes
  int32_t offset = 0;
  uint8_t offset0 = 0;
  uint8_t offset1 = 0;
  uint8_t dwords = 0; ///< length of the instruction
  uint8_t opSel = 0;  ///< bit per operand, as in the text
  uint8_t opSelHi = 0;
  uint8_t negLo = 0;
  uint8_t negHi = 0;
  uint8_t outputScale = 0;   ///< 0, 1: times 2, 2: times 4, 3: half
  uint8_t matrixControl = 0; ///< cbsz in bits 2..0, blgp in bits 5..3
  uint8_t matrixBlock = 0;   ///< abid
  uint8_t bitTable = 0;      ///< bitop3
  bool clamp = false;
  bool glc = false; ///< or sc0
  bool offsetEnable = false;
  bool indexEnable = false;
  std::array<Operand, kMaxOperands> operands{};
  FormFields form;

  uint16_t immediate() const noexcept { return static_cast<uint16_t>(encoding); }
};

} // namespace gpusim
