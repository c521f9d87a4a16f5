// Packed operations are the lane operation of their element, run once for each element.
#pragma once

#include <string_view>

#include "families.h"

namespace gpusim {

/// The handler of `mnemonic` in the family of floating-point lane operations; null when that family
/// has no such row.
inline Handler laneHandler(std::string_view mnemonic) {
  for (const Opcode& opcode : vectorFloatFamily()) {
    if (opcode.mnemonic == mnemonic) {
      return opcode.run;
    }
  }
  return nullptr;
}

/// The same, looked up once.
template <const auto& kMnemonic>
Handler laneHandler() {
  static const Handler handler = laneHandler(kMnemonic);
  return handler;
}

} // namespace gpusim
