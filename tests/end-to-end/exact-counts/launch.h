#pragma once

#include <hip/hip_runtime.h>

struct CountedArguments {
  const unsigned* input;
  unsigned count;
  unsigned* steps;
  unsigned* total;
};

/// Launches countedKernel on the current device. Two implementations: linked into the program
/// (launch_linked.cpp) or from a code object loaded at run time (launch_module.cpp).
hipError_t launchCounted(unsigned blocks, unsigned threads, const CountedArguments& arguments);
