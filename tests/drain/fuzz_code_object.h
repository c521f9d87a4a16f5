// What is fuzzed: arbitrary bytes, taken for a code object, through inspection to a written
// profile.
#pragma once

#include <cstddef>
#include <cstdint>

void tryToWriteProfile(const uint8_t* data, size_t size);
