// Decoded code, a page at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "decoder.h"
#include "instruction.h"
#include "interpreter.h"

namespace gpusim {

/// The code bytes of one page of guest memory when the page was first entered, and a slot per dword
/// for the instruction that begins there. Slots past the last are sentinels that lead to the next
/// page.
class CodePage {
public:
  static constexpr uint64_t kBytes = 4096;
  static constexpr unsigned kSlots = kBytes / 4;
  /// The longest instruction: how far one may reach into the next page.
  static constexpr unsigned kReach = 16;

  /// `bytes` are those readable from `begin` on; they may run over the end of the page by kReach.
  CodePage(uint64_t base, uint64_t begin, std::vector<std::byte> bytes);

  uint64_t base() const noexcept { return base_; }
  uint64_t begin() const noexcept { return begin_; }
  const std::vector<std::byte>& bytes() const noexcept { return bytes_; }

  const Instruction* slot(uint64_t pc) const noexcept { return &slots_[(pc - base_) / 4]; }
  bool contains(uint64_t pc) const noexcept { return pc - base_ < kBytes; }
  uint64_t pcOf(const Instruction* slot) const noexcept {
    return base_ + 4 * static_cast<uint64_t>(slot - slots_.get());
  }
  /// What is readable from `pc` on.
  std::span<const std::byte> from(uint64_t pc) const;

  /// Decodes the slot unless another thread has, and returns its handler.
  Handler decode(const Instruction* slot, Decoder& decoder) const;

private:
  uint64_t base_;
  uint64_t begin_;
  std::vector<std::byte> bytes_;
  mutable std::mutex mutex_;
  std::unique_ptr<Instruction[]> slots_;
};

/// The pages of one GPU for waves of one size. ROCr reuses code memory, so a page is compared with
/// memory whenever a dispatch enters it for the first time, and replaced if it differs.
class DecodedCode {
public:
  DecodedCode(const Architecture& architecture, unsigned lanes) : decoder_(architecture, lanes) {}

  Decoder& decoder() noexcept { return decoder_; }

  /// The page that holds `pc` as memory is now; null when `pc` is not mapped. An instruction that
  /// begins in one mapping and ends in another is illegal.
  std::shared_ptr<const CodePage> page(uint64_t pc, const GuestMemory& memory);

private:
  Decoder decoder_;
  std::mutex mutex_;
  std::unordered_map<uint64_t, std::shared_ptr<const CodePage>> pages_;
};

/// The decoded code of one GPU. What bytes mean depends on the size of the wave that runs them.
class ProcessorCode final : public CodeCache {
public:
  explicit ProcessorCode(const Architecture& architecture) : architecture_(architecture) {}

  const Architecture& architecture() const noexcept { return architecture_; }

  /// For waves of `lanes` (32 or 64) lanes.
  DecodedCode& forWaves(unsigned lanes);

private:
  const Architecture& architecture_;
  std::mutex mutex_;
  std::unordered_map<unsigned, std::unique_ptr<DecodedCode>> byLanes_;
};

} // namespace gpusim
