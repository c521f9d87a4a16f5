#include "disassembler.h"

#include <algorithm>
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
  const std::lock_guard lock(mutex_);
  char text[512];
  // The C interface takes mutable bytes, but only reads them.
  auto* bytes = const_cast<uint8_t*>(reinterpret_cast<const uint8_t*>(code.data()));
  Disassembled result;
  result.bytes = LLVMDisasmInstruction(context_, bytes, code.size(), pc, text, sizeof text);
  if (result.bytes != 0) {
    result.text = trimmed(text);
  }
  // LLVM's name for the encoding that is kept to be invalid for ever.
  return result.text == "v_illegal" ? Disassembled{} : result;
}

} // namespace gpusim
