// LLVM's disassembler for one AMDGPU processor, bytes in, text out.
#pragma once

#include <cstddef>
#include <mutex>
#include <span>
#include <string>

namespace gpusim {

struct Disassembled {
  size_t bytes = 0; ///< length of the instruction; 0: not an instruction
  std::string text;
};

/// Thread-safe; one per architecture, kept until the process ends.
class Disassembler {
public:
  /// `processor` as for -mcpu, `features` as for -mattr. Check valid() before use.
  Disassembler(const std::string& processor, const std::string& features);
  Disassembler(const Disassembler&) = delete;
  Disassembler& operator=(const Disassembler&) = delete;
  ~Disassembler();

  bool valid() const noexcept { return context_ != nullptr; }

  /// The instruction at the beginning of `code`; none where `code` ends before it does.
  Disassembled disassemble(std::span<const std::byte> code, uint64_t pc);

private:
  std::mutex mutex_;
  void* context_ = nullptr;
};

} // namespace gpusim
