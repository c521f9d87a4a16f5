#include "disassembler.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <llvm-c/Disassembler.h>

#include "reserved_encoding.h"

extern "C" {
// llvm-c/Target.h would declare every target the LLVM installation was built with.
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUDisassembler();
}

namespace gpusim {

namespace {

constexpr size_t kLongestInstruction = 20; ///< of all processors, in bytes

void initializeLlvm() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
  });
}

std::string trimmed(const char* text) {
  std::string result = text;
  const size_t first = result.find_first_not_of(" \t");
  if (first == std::string::npos) {
    return {};
  }
  return result.substr(first, result.find_last_not_of(" \t\n") - first + 1);
}

bool isReserved(std::span<const std::byte> code) {
  uint32_t words[4] = {};
  if (code.size() < 2 * sizeof words[0]) {
    return false;
  }
  std::memcpy(words, code.data(), std::min(code.size(), sizeof words));
  return hasReservedSelection(words[0], words[1]) || hasImpossibleLiteral(words[0], words[1]) ||
         hasMatrixInScalars(words[0], words[1]) ||
         hasScaledMatrixInScalars(words[0], words[2], words[3]);
}

} // namespace

Disassembler::Disassembler(const std::string& processor, const std::string& features) {
  initializeLlvm();
  context_ = LLVMCreateDisasmCPUFeatures("amdgcn-amd-amdhsa", processor.c_str(), features.c_str(),
                                         nullptr, 0, nullptr, nullptr);
}

Disassembler::~Disassembler() {
  if (context_ != nullptr) {
    LLVMDisasmDispose(context_);
  }
}

Disassembled Disassembler::disassemble(std::span<const std::byte> code, uint64_t pc) {
  if (isReserved(code)) {
    return {};
  }
  // LLVM crashes where the bytes end before the literal does: it gets enough of them, always.
  std::array<uint8_t, kLongestInstruction> bytes{};
  const size_t available = std::min(code.size(), bytes.size());
  std::memcpy(bytes.data(), code.data(), available);
  const std::lock_guard lock(mutex_);
  char text[512];
  Disassembled result;
  result.bytes =
      LLVMDisasmInstruction(context_, bytes.data(), bytes.size(), pc, text, sizeof text);
  if (result.bytes > available) {
    return {};
  }
  if (result.bytes != 0) {
    result.text = trimmed(text);
  }
  // LLVM's name for the encoding that is kept to be invalid for ever.
  return result.text == "v_illegal" ? Disassembled{} : result;
}

} // namespace gpusim
