// What the assembler of a processor calls instructions that older ones have under another name.
#pragma once

#include <string>
#include <unordered_map>

namespace gpusim {

/// From the mnemonic of a processor to the one in the rows of the families' tables.
using RenameTable = std::unordered_map<std::string, std::string>;

/// Against gfx9.
void addGfx10Renames(RenameTable& table);
void addGfx11Renames(RenameTable& table);

} // namespace gpusim
