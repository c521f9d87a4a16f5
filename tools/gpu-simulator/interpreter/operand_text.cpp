#include "operand_text.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <iterator>
#include <string>

#include "wave.h"

namespace gpusim {

namespace {

struct NamedRegister {
  std::string_view name;
  uint16_t index;
  uint8_t registers;
};

constexpr NamedRegister kNamedRegisters[] = {
    {"vcc", scalar::kVcc, 2},
    {"vcc_lo", scalar::kVcc, 1},
    {"vcc_hi", scalar::kVcc + 1, 1},
    {"exec", scalar::kExec, 2},
    {"exec_lo", scalar::kExec, 1},
    {"exec_hi", scalar::kExec + 1, 1},
    {"m0", scalar::kM0, 1},
    {"src_scc", scalar::kScc, 1},
    {"src_vccz", scalar::kVccZero, 1},
    {"src_execz", scalar::kExecZero, 1},
    {"flat_scratch", scalar::kFlatScratch, 2},
    {"flat_scratch_lo", scalar::kFlatScratch, 1},
    {"flat_scratch_hi", scalar::kFlatScratch + 1, 1},
    {"xnack_mask", scalar::kXnackMask, 2},
    {"xnack_mask_lo", scalar::kXnackMask, 1},
    {"xnack_mask_hi", scalar::kXnackMask + 1, 1},
    {"src_shared_base", scalar::kSharedBase, 2},
    {"src_shared_limit", scalar::kSharedLimit, 2},
    {"src_private_base", scalar::kPrivateBase, 2},
    {"src_private_limit", scalar::kPrivateLimit, 2},
};

bool dropAffixes(std::string_view& text, std::string_view prefix, std::string_view suffix) {
  if (text.size() < prefix.size() + suffix.size() || !text.starts_with(prefix) ||
      !text.ends_with(suffix)) {
    return false;
  }
  text.remove_prefix(prefix.size());
  text.remove_suffix(suffix.size());
  return true;
}

/// Takes the source modifiers off `text` and returns them as operand flags.
uint8_t takeFlags(std::string_view& text) {
  uint8_t flags = 0;
  if (dropAffixes(text, "sext(", ")")) {
    return Operand::kSignExtend;
  }
  const bool number = text.size() > 1 && text[1] >= '0' && text[1] <= '9';
  if (!number && (dropAffixes(text, "-", "") || dropAffixes(text, "neg(", ")"))) {
    flags |= Operand::kNegate;
  }
  if (dropAffixes(text, "|", "|") || dropAffixes(text, "abs(", ")")) {
    flags |= Operand::kAbsolute;
  }
  return flags;
}

/// Takes `.l` or `.h` off the name of half a register (true 16-bit instructions).
uint8_t takeHalf(std::string_view& text) {
  if (dropAffixes(text, "", ".l")) {
    return 0;
  }
  return dropAffixes(text, "", ".h") ? Operand::kHighHalf : 0;
}

std::optional<unsigned> parseUnsigned(std::string_view text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

struct Bank {
  char letter;
  std::string_view rangePrefix;
  Operand::Kind kind;
  uint16_t base;
  uint16_t size;
};

constexpr Bank kBanks[] = {
    {'v', "v[", Operand::Kind::Vector, 0, 256},
    {'a', "a[", Operand::Kind::Vector, vector::kAccumulation, 256},
    {'s', "s[", Operand::Kind::Scalar, 0, 106},
};

/// `v7`, `a3`, `s5` or ranges like `v[0:1]`.
std::optional<Operand> parseBankRegister(std::string_view text) {
  for (const Bank& bank : kBanks) {
    if (text.empty() || text.front() != bank.letter) {
      continue;
    }
    std::string_view range = text;
    std::optional<unsigned> first;
    std::optional<unsigned> last;
    if (dropAffixes(range, bank.rangePrefix, "]")) {
      const size_t colon = range.find(':');
      first = parseUnsigned(range.substr(0, colon));
      last = colon == std::string_view::npos ? first : parseUnsigned(range.substr(colon + 1));
    } else {
      first = last = parseUnsigned(text.substr(1));
    }
    if (first && last && *first <= *last && *last < bank.size) {
      Operand operand;
      operand.kind = bank.kind;
      operand.index = static_cast<uint16_t>(bank.base + *first);
      operand.registers = static_cast<uint8_t>(*last - *first + 1);
      return operand;
    }
  }
  return std::nullopt;
}

/// `ttmp3` or `ttmp[2:3]`, beside the table of names.
std::optional<Operand> parseNamedRegister(std::string_view text) {
  Operand operand;
  operand.kind = Operand::Kind::Scalar;
  for (const NamedRegister& named : kNamedRegisters) {
    if (named.name == text) {
      operand.index = named.index;
      operand.registers = named.registers;
      return operand;
    }
  }
  if (text.starts_with("ttmp")) {
    const auto like = parseBankRegister(std::string("s").append(text.substr(4)));
    if (like && like->index + like->registers <= 16) {
      operand.index = static_cast<uint16_t>(scalar::kTtmp + like->index);
      operand.registers = like->registers;
      return operand;
    }
  }
  return std::nullopt;
}

uint64_t integerBits(int64_t value, bool hexadecimal, ValueType type) {
  const auto bits = static_cast<uint64_t>(value);
  switch (type) {
  case ValueType::Bits16:
  case ValueType::Float16:
  case ValueType::BrainFloat16:
    return bits & 0xffff;
  case ValueType::Bits64:
  case ValueType::PackedFloat32:
    return hexadecimal ? static_cast<uint32_t>(bits) : bits;
  case ValueType::Int64:
    return hexadecimal ? static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(bits)))
                       : bits;
  case ValueType::Float64: // a literal is the upper half; an inline integer is the whole pattern
    return hexadecimal ? bits << 32 : bits;
  default:
    return bits & 0xffffffff;
  }
}

/// The three precisions of the same inline constant; only these can occur.
struct InlineFloat {
  double value;
  uint16_t half;
};

constexpr InlineFloat kInlineFloats[] = {
    {0.5, 0x3800},  {-0.5, 0xb800}, {1.0, 0x3c00},
    {-1.0, 0xbc00}, {2.0, 0x4000},  {-2.0, 0xc000},
    {4.0, 0x4400},  {-4.0, 0xc400}, {0.15915494309189532, 0x3118},
};

uint64_t floatBits(const InlineFloat& constant, ValueType type) {
  switch (type) {
  case ValueType::BrainFloat16:
  case ValueType::PackedBrainFloat16:
    return std::bit_cast<uint32_t>(static_cast<float>(constant.value)) >> 16;
  case ValueType::Bits16:
  case ValueType::Float16:
  case ValueType::PackedFloat16:
    return constant.half;
  case ValueType::Bits64:
  case ValueType::Int64:
  case ValueType::Float64:
    return std::bit_cast<uint64_t>(constant.value);
  default:
    return std::bit_cast<uint32_t>(static_cast<float>(constant.value));
  }
}

std::optional<Operand> parseConstant(std::string_view text, ValueType type) {
  Operand operand;
  operand.kind = Operand::Kind::Constant;
  std::string_view literal = text;
  const bool explicitLiteral = dropAffixes(literal, "lit(", ")");
  if (const auto integer = parseInteger(literal)) {
    const bool hexadecimal = explicitLiteral || literal.find('x') != std::string_view::npos;
    operand.constant = integerBits(*integer, hexadecimal, type);
    return operand;
  }
  double value = 0; // from_chars: strtod would follow the locale of the program under test
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  for (const InlineFloat& constant : kInlineFloats) {
    // The text rounds 1/(2 pi) to the operand's precision.
    if (std::abs(value - constant.value) < 1e-3) {
      operand.constant = floatBits(constant, type);
      return operand;
    }
  }
  return std::nullopt;
}

} // namespace

std::optional<int64_t> parseInteger(std::string_view text) {
  const bool negative = dropAffixes(text, "-", "");
  const int base = dropAffixes(text, "0x", "") ? 16 : 10;
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return static_cast<int64_t>(negative ? 0 - value : value);
}

std::optional<Operand> parseOperand(std::string_view text, ValueType type) {
  if (text == "off") {
    return type == ValueType::Wide ? std::optional(Operand{}) : std::nullopt;
  }
  uint8_t flags = takeFlags(text);
  if (isHalf(type)) {
    flags |= takeHalf(text);
  }
  auto operand = parseBankRegister(text);
  if (!operand) {
    operand = parseNamedRegister(text);
  }
  if (!operand) {
    operand = parseConstant(text, type);
  }
  if (operand) {
    operand->flags = flags;
  }
  return operand;
}

} // namespace gpusim
