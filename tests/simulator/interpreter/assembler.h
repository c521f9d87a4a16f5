// Assembles text with LLVM's assembler and returns the bytes of the section `.text`.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gpusim::test {

/// Empty when the assembler refuses the text; its diagnostics go to the standard error stream.
/// `features` as for -mattr.
std::vector<std::byte> assemble(const std::string& text, const std::string& processor = "gfx90a",
                                const std::string& features = "");

/// Whole contents of a file; empty when it cannot be read.
std::vector<std::byte> readFile(const std::string& path);

} // namespace gpusim::test
