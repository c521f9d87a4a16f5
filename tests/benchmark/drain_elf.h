// Instrumented device ELFs of any size, made without a compiler, for the drain's benchmark.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

constexpr size_t kCountersEach = 8; // of one function

// A code object for gfx90a with as many instrumented functions. `seed` makes its names differ from
// those of others, so that it is code of its own.
std::vector<uint8_t> makeInstrumentedElf(size_t functions, size_t seed);
