// What differs between the processors the interpreter models.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "instruction.h"

namespace gpusim {

using FamilyFunction = Family (*)();

struct Architecture {
  std::string_view name; ///< LLVM's processor name
  std::span<const FamilyFunction> families;
  bool packedWorkItemId; ///< v0 holds x, y, z in ten bits each
  bool unifiedRegisters; ///< AGPRs follow the VGPRs; the descriptor has an offset
};

/// Null when `name` is not modelled.
const Architecture* findArchitecture(std::string_view name);

} // namespace gpusim
