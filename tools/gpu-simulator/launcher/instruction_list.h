// The listing behind --list-instructions.
#pragma once

#include <ostream>
#include <string_view>

namespace gpusim {

/// Prints a line `mnemonic word` for each instruction of `architecture`, in alphabetical order.
/// False: the architecture is not modelled, and nothing was printed.
bool printInstructions(std::string_view architecture, std::ostream& out);

} // namespace gpusim
