// Raw profiles of code that never ran: what a drain would have written, with counters of the test's
// choice.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace test_support {

/// Writes a raw profile for an instrumented 64-bit ELF image, in the layout of the compiler's
/// `profile/InstrProfData.inc`. `counters` maps functions' linkage names to their first counters;
/// all others are 0. `binaryId` holds the bytes of the ID to write, if any. Throws when the image
/// has no such function or fewer counters.
void writeRawProfile(const std::filesystem::path& image,
                     const std::map<std::string, std::vector<uint64_t>>& counters,
                     const std::filesystem::path& profile, const std::string& binaryId = "");

} // namespace test_support
