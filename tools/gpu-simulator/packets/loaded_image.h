// Code objects as ROCr loaded them into a GPU's memory, with their headers and tables.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <elf.h>

#include "interpreter/interpreter.h"

namespace gpusim {

/// A loaded ELF image within one mapping.
class LoadedImage {
public:
  /// The image around the kernel descriptor at `kernelObject`.
  static std::optional<LoadedImage> around(const GuestMemory& memory, uint64_t kernelObject);

  /// `Item` at `offset` of the image, when it lies within the mapping.
  template <typename Item>
  const Item* at(uint64_t offset, uint64_t count = 1) const {
    const uint64_t room = range_.end - base_;
    if (offset > room || count > (room - offset) / sizeof(Item))
      return nullptr;
    return reinterpret_cast<const Item*>(range_.host + (base_ - range_.begin) + offset);
  }

  /// The text that a zero ends at `offset`.
  std::string_view text(uint64_t offset) const;

  /// The first segment of `type` (PT_DYNAMIC, PT_NOTE), or null.
  const Elf64_Phdr* segment(uint32_t type) const;

  /// The name of the symbol whose value is `address`.
  std::string_view symbolAt(uint64_t address) const;

private:
  LoadedImage(const MemoryRange& range, uint64_t base) : range_(range), base_(base) {}

  MemoryRange range_;
  uint64_t base_;
};

} // namespace gpusim
