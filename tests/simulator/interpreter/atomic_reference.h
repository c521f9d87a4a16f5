// What the integer atomics of all kinds of memory do with one word.
#pragma once

#include <cstdint>

namespace gpusim::test {

/// The operation's name in mnemonics, and its model.
struct Atomic {
  const char* name;
  uint32_t (*expected)(uint32_t old, uint32_t value);
};
inline const Atomic kAtomics[] = {
    {"swap", [](uint32_t, uint32_t value) { return value; }},
    {"add", [](uint32_t old, uint32_t value) { return old + value; }},
    {"sub", [](uint32_t old, uint32_t value) { return old - value; }},
    {"smin",
     [](uint32_t old, uint32_t value) {
       return static_cast<int32_t>(old) < static_cast<int32_t>(value) ? old : value;
     }},
    {"smax",
     [](uint32_t old, uint32_t value) {
       return static_cast<int32_t>(old) > static_cast<int32_t>(value) ? old : value;
     }},
    {"umin", [](uint32_t old, uint32_t value) { return old < value ? old : value; }},
    {"umax", [](uint32_t old, uint32_t value) { return old > value ? old : value; }},
    {"and", [](uint32_t old, uint32_t value) { return old & value; }},
    {"or", [](uint32_t old, uint32_t value) { return old | value; }},
    {"xor", [](uint32_t old, uint32_t value) { return old ^ value; }},
    {"inc", [](uint32_t old, uint32_t value) { return old >= value ? 0 : old + 1; }},
    {"dec", [](uint32_t old, uint32_t value) { return old == 0 || old > value ? value : old - 1; }},
};

} // namespace gpusim::test
