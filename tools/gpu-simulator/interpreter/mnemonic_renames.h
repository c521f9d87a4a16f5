// What the assembler of a processor calls instructions that older ones have under another name.
#pragma once

#include <span>

#include "architecture.h"

namespace gpusim {

/// Against gfx9.
std::span<const Rename> gfx10Renames();
std::span<const Rename> gfx11Renames();

} // namespace gpusim
