// What differs between the processors the interpreter models.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "instruction.h"
#include "mnemonic_renames.h"

namespace gpusim {

using FamilyFunction = Family (*)();

struct Architecture {
  std::string_view name;                    ///< LLVM's processor name
  std::span<const FamilyFunction> families; ///< of rows with one mnemonic the first one counts
  std::span<const FamilyFunction> ownFamilies = {}; ///< what only some of its kind have
  void (*addRenames)(RenameTable& table) = nullptr;
  bool packedWorkItemId = false; ///< v0 holds x, y, z in ten bits each
  bool unifiedRegisters = false; ///< AGPRs follow the VGPRs; the descriptor has an offset
  /// FLAT_SCRATCH is set before the wave starts, and no SGPR holds the offset of its private
  /// memory.
  bool architectedFlatScratch = false;
  bool separateAccumulation = false; ///< 256 AGPRs beside the VGPRs
  bool halfWaves = false;            ///< kernels choose between waves of 32 and of 64 lanes (RDNA)
  bool keepsHighHalves = false;      ///< 16-bit results leave bits 31..16 of the register alone
  /// d16 loads set the other half of the register to 0: registers with ECC (SRAMECC, as these
  /// processors' machines have it) are written whole. Hand-written kernels rely on it.
  bool loadsWholeRegisters = false;
  bool hasDies = false;              ///< waves can ask on which of several dies they run
};

/// Null when `name` is not modelled.
const Architecture* findArchitecture(std::string_view name);

} // namespace gpusim
