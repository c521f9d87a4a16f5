#include "code_page.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "execution.h"

namespace gpusim {

CodePage::CodePage(uint64_t base, uint64_t begin, std::vector<std::byte> bytes)
    : base_(base), begin_(begin), bytes_(std::move(bytes)),
      slots_(std::make_unique<Instruction[]>(kSlots + kReach / 4)) {
  for (unsigned sentinel = kSlots; sentinel < kSlots + kReach / 4; ++sentinel) {
    slots_[sentinel].run = enterNextPage;
  }
}

std::span<const std::byte> CodePage::from(uint64_t pc) const {
  const std::span<const std::byte> all(bytes_);
  return pc < begin_ || pc - begin_ >= all.size() ? std::span<const std::byte>{}
                                                  : all.subspan(pc - begin_);
}

Handler CodePage::decode(const Instruction* slot, Decoder& decoder) const {
  const std::lock_guard lock(mutex_);
  Instruction& instruction = slots_[static_cast<size_t>(slot - slots_.get())];
  if (instruction.run != nullptr) {
    return instruction.run;
  }
  Handler handler = nullptr;
  const uint64_t pc = pcOf(slot);
  if (decoder.decode(from(pc), pc, instruction, handler)) {
    instruction.dwords = 0; // the program counter stays at what was refused
    handler = refuseInstruction;
  }
  std::atomic_ref(instruction.run).store(handler, std::memory_order_release);
  return handler;
}

DecodedCode& ProcessorCode::forWaves(unsigned lanes) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<DecodedCode>& code = byLanes_[lanes];
  if (!code) {
    code = std::make_unique<DecodedCode>(architecture_, lanes);
  }
  return *code;
}

std::shared_ptr<const CodePage> DecodedCode::page(uint64_t pc, const GuestMemory& memory) {
  const uint64_t base = pc & ~(CodePage::kBytes - 1);
  const MemoryRange range = memory.find(pc);
  if (pc < range.begin || pc >= range.end) {
    return nullptr;
  }
  // Only the mapping that holds the code is read. The one behind it has nothing to do with the
  // kernel: its owner may be taking it away just now.
  const uint64_t begin = std::max(base, range.begin);
  const uint64_t end = std::min(base + CodePage::kBytes + CodePage::kReach, range.end);
  std::vector<std::byte> bytes(range.host + (begin - range.begin), range.host + (end - range.begin));
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const CodePage>& cached = pages_[base];
  if (!cached || cached->begin() != begin || cached->bytes() != bytes) {
    cached = std::make_shared<const CodePage>(base, begin, std::move(bytes));
  }
  return cached;
}

} // namespace gpusim
