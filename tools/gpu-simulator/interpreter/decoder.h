// From bytes to a decoded instruction.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "architecture.h"
#include "assembly_text.h"
#include "disassembler.h"
#include "instruction.h"

namespace gpusim {

/// Why an instruction was not decoded.
struct Refusal {
  enum class Kind : uint8_t { None, Illegal, Unsupported };
  Kind kind = Kind::None;
  std::string message; ///< names the text and what is not modelled

  explicit operator bool() const noexcept { return kind != Kind::None; }
};

/// Thread-safe.
class Decoder {
public:
  /// `lanes` of the waves: registers that hold lane masks depend on it.
  Decoder(const Architecture& architecture, unsigned lanes);

  bool valid() const noexcept { return disassembler_.valid(); }
  const Architecture& architecture() const noexcept { return architecture_; }

  /// Fills everything of `instruction` but its `run`, which is returned in `handler`. `code` is
  /// what is readable from the instruction on.
  Refusal decode(std::span<const std::byte> code, uint64_t pc, Instruction& instruction,
                 Handler& handler);

  /// For messages; empty when the bytes are no instruction.
  std::string text(std::span<const std::byte> code, uint64_t pc);

  /// Null when the mnemonic (without encoding suffix) is not modelled.
  const Opcode* find(std::string_view mnemonic) const;

private:
  Disassembled disassemble(std::span<const std::byte> code, uint64_t pc);
  const Opcode* rowOf(const AssemblyText& text) const;
  /// One line of assembler text, or half of a dual one; `code` are the bytes of the whole.
  Refusal decodeOperation(std::string_view line, std::span<const std::byte> code,
                          Instruction& instruction, Handler& handler);
  Refusal decodeDual(std::string_view first, std::string_view second,
                     std::span<const std::byte> code, Instruction& instruction, Handler& handler);

  const Architecture& architecture_;
  unsigned lanes_;
  Disassembler disassembler_;
  std::unordered_map<std::string_view, const Opcode*> opcodes_;
  RenameTable renames_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Instruction>> seconds_; ///< of dual instructions, kept for ever
};

} // namespace gpusim
