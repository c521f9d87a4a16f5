// Predicts how often each line of exact-counts/counted.h runs, from the launch alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

struct Launch {
  unsigned devices = 1;
  unsigned blocks = 1;
  unsigned threads = 64; ///< per block
  unsigned count = 64;   ///< elements of the input
};

/// How often the events that the line comments name happen, in threads over all devices.
std::map<std::string, uint64_t> tallyEvents(const Launch& launch);

/// Line number -> expected count, for every line of `source` that has a `//= a + b` comment.
/// Throws std::runtime_error for a name that is no tally.
std::map<unsigned, uint64_t> expectedLineCounts(const std::filesystem::path& source,
                                                const std::map<std::string, uint64_t>& tallies);
