#include "decoder.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "assembly_text.h"
#include "operand_access.h"
#include "operand_forms.h"
#include "operand_text.h"
#include "refused_instructions.h"
#include "wave.h"

namespace gpusim {

namespace {

Refusal unsupported(std::string_view text, std::string_view what) {
  return {Refusal::Kind::Unsupported, fmt::format("`{}`: {}", text, what)};
}

bool startsWith(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) {
    return false;
  }
  text.remove_prefix(prefix.size());
  return true;
}

/// `[1,0,1]` as bits, first entry in bit 0.
std::optional<uint8_t> parseBitList(std::string_view text) {
  uint8_t bits = 0;
  unsigned position = 0;
  for (const char c : text) {
    if (c == '0' || c == '1') {
      bits |= static_cast<uint8_t>((c - '0') << position++);
    } else if (c != '[' && c != ',' && c != ']') {
      return std::nullopt;
    }
  }
  return bits;
}

template <class Field>
bool parseInto(Field& field, std::string_view text) {
  const auto value = parseInteger(text);
  if (value) {
    field = static_cast<Field>(*value);
  }
  return value.has_value();
}

bool parseBitsInto(uint8_t& field, std::string_view text) {
  const auto bits = parseBitList(text);
  field = bits.value_or(0);
  return bits.has_value();
}

bool outputScale(Instruction& instruction, std::string_view text) {
  instruction.outputScale = text == "mul:2" ? 1 : text == "mul:4" ? 2 : text == "div:2" ? 3 : 0;
  return instruction.outputScale != 0;
}

/// Matrix fields share a byte: cbsz below blgp.
bool matrixField(Instruction& instruction, std::string_view text) {
  uint8_t value = 0;
  if (startsWith(text, "cbsz:") && parseInto(value, text)) {
    instruction.matrixControl |= value & 7;
    return true;
  }
  if (startsWith(text, "blgp:") && parseInto(value, text)) {
    instruction.matrixControl |= static_cast<uint8_t>((value & 7) << 3);
    return true;
  }
  return startsWith(text, "abid:") && parseInto(instruction.matrixBlock, text);
}

uint32_t honoured(bool parsed, Modifier modifier) {
  return parsed ? modifier : 0u;
}

/// Stores one modifier; returns the bit it needs in Opcode::modifiers, or 0 when it is unknown.
uint32_t applyModifier(Instruction& instruction, std::string_view text) {
  std::string_view value = text;
  if (startsWith(value, "offset:")) {
    if (value.starts_with("swizzle(")) {
      return kOffset; // the handler reads the encoding
    }
    return honoured(parseInto(instruction.offset, value), kOffset);
  }
  if (startsWith(value, "offset0:")) {
    return honoured(parseInto(instruction.offset0, value), kOffsetPair);
  }
  if (startsWith(value, "offset1:")) {
    return honoured(parseInto(instruction.offset1, value), kOffsetPair);
  }
  if (text == "glc" || text == "sc0") {
    instruction.glc = true;
    return kCacheBits;
  }
  if (text == "slc" || text == "scc" || text == "dlc" || text == "sc1" || text == "nt") {
    return kCacheBits;
  }
  if (text == "gds") {
    return kGlobalDataShare;
  }
  if (text == "offen") {
    instruction.offsetEnable = true;
    return kOffsetEnable;
  }
  if (text == "idxen") {
    instruction.indexEnable = true;
    return kIndexEnable;
  }
  if (text == "clamp") {
    instruction.clamp = true;
    return kClamp;
  }
  if (startsWith(value, "op_sel:")) {
    return honoured(parseBitsInto(instruction.opSel, value), kOpSel);
  }
  if (startsWith(value, "op_sel_hi:")) {
    return honoured(parseBitsInto(instruction.opSelHi, value), kOpSelHi);
  }
  if (startsWith(value, "neg_lo:")) {
    return honoured(parseBitsInto(instruction.negLo, value), kNegLo);
  }
  if (startsWith(value, "neg_hi:")) {
    return honoured(parseBitsInto(instruction.negHi, value), kNegLo);
  }
  if (outputScale(instruction, text)) {
    return kOutputScale;
  }
  if (startsWith(value, "bitop3:")) {
    return honoured(parseInto(instruction.bitTable, value), kBitTable);
  }
  if (text == "bound_ctrl:1" || text == "fi:1") {
    (text == "fi:1" ? instruction.form.fetchInactive : instruction.form.boundControl) = true;
    return kLaneBounds;
  }
  return honoured(matrixField(instruction, text), kMatrix);
}

unsigned registersOf(ValueType type, unsigned lanes) {
  switch (type) {
  case ValueType::LaneMask:
    return lanes / 32;
  case ValueType::Bits64:
  case ValueType::Int64:
  case ValueType::Float64:
  case ValueType::PackedFloat32:
    return 2;
  default:
    return 1;
  }
}

bool isFloating(ValueType type) {
  return type == ValueType::Float16 || type == ValueType::Float32 || type == ValueType::Float64;
}

/// `null` reads as zero and swallows results.
Operand nullOperand(Role role) {
  Operand operand;
  operand.kind = role == Role::Definition ? Operand::Kind::Scalar : Operand::Kind::Constant;
  operand.index = scalar::kNull;
  return operand;
}

Refusal decodeOperand(std::string_view line, std::string_view text, OperandSpec spec,
                      const Opcode& opcode, unsigned lanes, Operand& operand) {
  const unsigned registers = registersOf(spec.type, lanes);
  if (text == "null" && spec.type != ValueType::Wide) {
    operand = nullOperand(spec.role);
    operand.registers = static_cast<uint8_t>(registers);
    return {};
  }
  const auto parsed = parseOperand(text, spec.type);
  if (!parsed) {
    return unsupported(line, fmt::format("operand `{}` is not modelled", text));
  }
  const bool isRegister =
      parsed->kind == Operand::Kind::Vector || parsed->kind == Operand::Kind::Scalar;
  if (isRegister && spec.type != ValueType::Wide && parsed->registers != registers) {
    return unsupported(line, fmt::format("operand `{}` has an unexpected width", text));
  }
  if (spec.role == Role::Definition && !isRegister) {
    return unsupported(line, fmt::format("destination `{}` is not modelled", text));
  }
  const uint8_t signs = parsed->flags & (Operand::kNegate | Operand::kAbsolute);
  if (signs != 0 && ((opcode.modifiers & kSigns) == 0 || !isFloating(spec.type))) {
    return unsupported(line, fmt::format("a sign modifier on `{}` is not modelled", text));
  }
  operand = *parsed;
  return {};
}

Operand immediateOperand(Role role, uint16_t immediate) {
  Operand operand;
  operand.kind = Operand::Kind::Constant;
  operand.constant =
      role == Role::SignedImmediate
          ? static_cast<uint64_t>(static_cast<int64_t>(static_cast<int16_t>(immediate)))
          : immediate;
  return operand;
}

Refusal decodeOperands(std::string_view line, const AssemblyText& text, const Opcode& opcode,
                       unsigned lanes, Instruction& instruction) {
  const auto expected = static_cast<size_t>(
      std::count_if(opcode.operands.begin(), opcode.operands.end(),
                    [](const OperandSpec& spec) { return spec.role != Role::None; }));
  if (text.operands.size() != expected) {
    return unsupported(line, "this operand form is not modelled");
  }
  for (size_t index = 0; index < expected; ++index) {
    const OperandSpec spec = opcode.operands[index];
    if (spec.role == Role::SignedImmediate || spec.role == Role::UnsignedImmediate) {
      instruction.operands[index] = immediateOperand(spec.role, instruction.immediate());
    } else if (auto refusal = decodeOperand(line, text.operands[index], spec, opcode, lanes,
                                            instruction.operands[index])) {
      return refusal;
    }
  }
  return {};
}

Refusal decodeModifiers(std::string_view line, const AssemblyText& text, uint32_t modifiers,
                        Instruction& instruction) {
  instruction.opSelHi = 0xff; // what the text leaves out
  for (const std::string_view modifier : text.modifiers) {
    if (text.encoding != Encoding::Plain && isFormModifier(text.encoding, modifier)) {
      continue; // taken from the encoding by wrapForm
    }
    const uint32_t bit = applyModifier(instruction, modifier);
    if ((modifiers & bit) == 0) {
      return unsupported(line, fmt::format("modifier `{}` is not modelled", modifier));
    }
  }
  return {};
}

/// Whether every half operand of the processor can be selected by op_sel, whatever the row says.
bool selectsAnyHalf(const Architecture& architecture, const Opcode& opcode) {
  return architecture.keepsHighHalves && (opcode.modifiers & kOpSelHi) == 0 &&
         std::any_of(opcode.operands.begin(), opcode.operands.end(),
                     [](const OperandSpec& spec) { return isHalf(spec.type); });
}

/// op_sel of plain 16-bit operations: a bit per source, then one for the destination if there is
/// one.
Refusal applyHalfSelection(std::string_view line, const Opcode& opcode, Instruction& instruction) {
  unsigned source = 0;
  for (size_t index = 0; index < kMaxOperands; ++index) {
    if (opcode.operands[index].role != Role::Use) {
      continue;
    }
    if ((instruction.opSel >> source++ & 1) != 0) {
      if (!isHalf(opcode.operands[index].type)) {
        return unsupported(line, "op_sel on an operand of 32 bits is not modelled");
      }
      instruction.operands[index].flags |= Operand::kHighHalf;
    }
  }
  const bool high = (instruction.opSel >> source & 1) != 0;
  if (opcode.operands[0].role != Role::Definition || !isHalf(opcode.operands[0].type)) {
    return high ? unsupported(line, "op_sel on a destination of 32 bits is not modelled")
                : Refusal{};
  }
  instruction.operands[0].flags |= high ? Operand::kHighHalf : Operand::kKeepOther;
  return {};
}

bool isZeroFlag(const Operand& operand) {
  return operand.kind == Operand::Kind::Scalar &&
         (operand.index == scalar::kVccZero || operand.index == scalar::kExecZero);
}

/// Runs `Instruction::inner` with the flags that say whether VCC and EXEC are zero.
Step runWithZeroFlags(Wave& wave, const Instruction& instruction) {
  wave.sgpr[scalar::kVccZero] = wave.vcc() == 0 ? 1 : 0;
  wave.sgpr[scalar::kExecZero] = wave.exec() == 0 ? 1 : 0;
  return instruction.inner(wave, instruction);
}

/// Puts the wrapper before instructions that read one of these flags.
Refusal applyZeroFlags(std::string_view line, Instruction& instruction, Handler& handler) {
  if (std::none_of(instruction.operands.begin(), instruction.operands.end(), isZeroFlag)) {
    return {};
  }
  if (instruction.inner != nullptr) {
    return unsupported(line, "src_vccz and src_execz are not modelled in this form");
  }
  instruction.inner = handler;
  handler = runWithZeroFlags;
  return {};
}

constexpr std::string_view kDualPrefix = "v_dual_";
constexpr std::string_view kDualSelect = "v_dual_cndmask_b32";

/// Both operations read their sources before either writes its result.
Step runDual(Wave& wave, const Instruction& instruction) {
  constexpr uint16_t kResult = vector::kTemporary + 7;
  Instruction first = instruction;
  const uint16_t target = first.operands[0].index;
  first.operands[0].index = kResult;
  std::memcpy(wave.vgpr[kResult], wave.vgpr[target], sizeof(LaneWords)); // accumulators read it
  if (const Step step = instruction.inner(wave, first); step != Step::Continue) {
    return step;
  }
  const Instruction& second = *instruction.second;
  if (const Step step = second.run(wave, second); step != Step::Continue) {
    return step;
  }
  writeRegister(wave, target, wave.vgpr[kResult], wave.exec());
  return Step::Continue;
}

/// Puts the wrapper of SDWA or DPP before the handler.
Refusal applyForm(std::string_view line, Encoding encoding, std::span<const std::byte> code,
                  Instruction& instruction, Handler& handler) {
  if (code.size() >= sizeof instruction.form.encoding) { // the last dword has the fields
    std::memcpy(&instruction.form.encoding, code.last(sizeof instruction.form.encoding).data(),
                sizeof instruction.form.encoding);
  }
  instruction.inner = handler;
  handler = wrapForm(encoding, instruction);
  return handler != nullptr ? Refusal{}
                            : unsupported(line, "this SDWA or DPP form is not modelled");
}

uint64_t leadingBytes(std::span<const std::byte> code, size_t bytes) {
  uint64_t encoding = 0;
  std::memcpy(&encoding, code.data(), std::min({code.size(), bytes, sizeof encoding}));
  return encoding;
}

/// Comparisons in the three-operand encoding of RDNA. Those into EXEC do not use their destination
/// field; LLVM wants EXEC named there, but older assemblers left it zero.
bool isComparison(std::span<const std::byte> code) {
  constexpr uint64_t kEncoding = 0xff000000;
  constexpr uint64_t kThreeOperands = 0xd4000000; // opcodes below 256
  return code.size() >= 8 && (leadingBytes(code, 4) & kEncoding) == kThreeOperands;
}

/// What LLVM has to know beside the processor.
std::string waveFeatures(const Architecture& architecture, unsigned lanes) {
  return architecture.halfWaves ? fmt::format("+wavefrontsize{}", lanes) : std::string();
}

} // namespace

Decoder::Decoder(const Architecture& architecture, unsigned lanes)
    : architecture_(architecture), lanes_(lanes),
      disassembler_(std::string(architecture.name), waveFeatures(architecture, lanes)) {
  for (const auto& families : {architecture.families, architecture.ownFamilies}) {
    for (const FamilyFunction family : families) {
      for (const Opcode& opcode : family()) {
        opcodes_.emplace(opcode.mnemonic, &opcode);
      }
    }
  }
  if (architecture.addRenames != nullptr) {
    architecture.addRenames(renames_);
  }
}

const Opcode* Decoder::find(std::string_view mnemonic) const {
  std::string row(mnemonic);
  if (row.starts_with(kDualPrefix)) {
    row.replace(0, kDualPrefix.size(), "v_");
  }
  const size_t name = std::min(row.find(' '), row.size()); // before a modifier
  if (const auto renamed = renames_.find(row.substr(0, name)); renamed != renames_.end()) {
    row.replace(0, name, renamed->second);
  }
  const auto found = opcodes_.find(row);
  return found == opcodes_.end() ? nullptr : found->second;
}

Disassembled Decoder::disassemble(std::span<const std::byte> code, uint64_t pc) {
  const Disassembled line = disassembler_.disassemble(code, pc);
  if (line.bytes != 0 || !architecture_.halfWaves || !isComparison(code)) {
    return line;
  }
  std::vector<std::byte> named(code.begin(), code.end());
  named[0] = std::byte{scalar::kExec};
  const Disassembled comparison = disassembler_.disassemble(named, pc);
  return comparison.text.starts_with("v_cmpx_") ? comparison : line;
}

std::string Decoder::text(std::span<const std::byte> code, uint64_t pc) {
  return disassemble(code, pc).text;
}

const Opcode* Decoder::rowOf(const AssemblyText& text) const {
  const bool returns =
      std::any_of(text.modifiers.begin(), text.modifiers.end(),
                  [](std::string_view modifier) { return modifier == "glc" || modifier == "sc0"; });
  const Opcode* opcode = returns ? find(fmt::format("{} glc", text.mnemonic)) : nullptr;
  return opcode != nullptr ? opcode : find(text.mnemonic);
}

Refusal Decoder::decode(std::span<const std::byte> code, uint64_t pc, Instruction& instruction,
                        Handler& handler) {
  const Disassembled line = disassemble(code, pc);
  if (line.bytes == 0) {
    return {Refusal::Kind::Illegal, "the bytes are no instruction of this processor"};
  }
  const auto bytes = code.first(std::min(line.bytes, code.size()));
  const auto [first, second] = splitDual(line.text);
  return second.empty() ? decodeOperation(first, bytes, instruction, handler)
                        : decodeDual(first, second, bytes, instruction, handler);
}

Refusal Decoder::decodeDual(std::string_view first, std::string_view second,
                            std::span<const std::byte> code, Instruction& instruction,
                            Handler& handler) {
  auto other = std::make_unique<Instruction>();
  if (auto refusal = decodeOperation(second, code, *other, other->run)) {
    return refusal;
  }
  if (auto refusal = decodeOperation(first, code, instruction, instruction.inner)) {
    return refusal;
  }
  instruction.second = other.get();
  handler = runDual;
  const std::lock_guard lock(mutex_);
  seconds_.push_back(std::move(other));
  return {};
}

Refusal Decoder::decodeOperation(std::string_view line, std::span<const std::byte> code,
                                 Instruction& instruction, Handler& handler) {
  AssemblyText text = splitAssembly(line);
  const Opcode* opcode = rowOf(text);
  if (opcode == nullptr) {
    const std::string_view reason = refusalOf(text.mnemonic);
    return unsupported(line, reason.empty() ? "the instruction is not modelled" : reason);
  }
  if (text.mnemonic == kDualSelect) {
    text.operands.emplace_back("vcc_lo"); // which the text leaves out
  }
  instruction.opcode = opcode;
  instruction.encoding = leadingBytes(code, code.size());
  instruction.dwords = static_cast<uint8_t>(code.size() / 4);
  handler = opcode->run;
  if ((opcode->modifiers & kRawText) != 0) {
    return {};
  }
  if (auto refusal = decodeOperands(line, text, *opcode, lanes_, instruction)) {
    return refusal;
  }
  const uint32_t modifiers =
      opcode->modifiers | (selectsAnyHalf(architecture_, *opcode) ? kOpSel : 0u);
  if (auto refusal = decodeModifiers(line, text, modifiers, instruction)) {
    return refusal;
  }
  // Packed operations interpret the bits themselves; SDWA has its own selection.
  if ((modifiers & kOpSel) != 0 && (modifiers & kOpSelHi) == 0 && text.encoding != Encoding::Sdwa) {
    if (auto refusal = applyHalfSelection(line, *opcode, instruction)) {
      return refusal;
    }
  }
  if (instruction.clamp && opcode->runClamped != nullptr) {
    handler = opcode->runClamped;
  }
  if (text.encoding != Encoding::Plain) {
    if (auto refusal = applyForm(line, text.encoding, code, instruction, handler)) {
      return refusal;
    }
  }
  return applyZeroFlags(line, instruction, handler);
}

} // namespace gpusim
